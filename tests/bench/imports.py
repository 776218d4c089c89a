"""Import of JSON Lines against what it cannot do without: cJSON_Parse of the lines and a bare insert of their rows.

Dumps of 1,000 drives, their counters moving every hour: long ones by `smartctl -x -j`, half NVMe, half SATA, of 5 to
10 kB, and short ones by `smartctl -iA -j`, NVMe alone, of less than 2 kB.
"""

import json
import random
import resource
import statistics
import subprocess
import time

from verdict import verdict

DRIVES, ROUNDS, BOUND = 1000, 5, 2.0
LONG_HOURS, SHORT_HOURS = 20, 100  # about as many bytes; what a new drive costs once must not be all there is
START = 1735689600  # 2025

ATTRIBUTES = {
    5: "Reallocate_NAND_Blk_Cnt", 9: "Power_On_Hours", 12: "Power_Cycle_Count", 170: "Reserved_Block_Count",
    171: "Program_Fail_Count", 172: "Erase_Fail_Count", 173: "Ave_Block-Erase_Count", 174: "Unexpect_Power_Loss_Ct",
    180: "Unused_Reserve_NAND_Blk", 183: "SATA_Interfac_Downshift", 184: "Error_Correction_Count",
    187: "Reported_Uncorrect", 194: "Temperature_Celsius", 195: "Hardware_ECC_Recovered",
    196: "Reallocated_Event_Count", 197: "Current_Pending_ECC_Cnt", 198: "Offline_Uncorrectable",
    199: "UDMA_CRC_Error_Count", 202: "Percent_Lifetime_Remain", 206: "Write_Error_Rate",
    210: "Success_RAIN_Recov_Cnt", 246: "Total_LBAs_Written", 247: "Host_Program_Page_Count",
    248: "FTL_Program_Page_Count"}


def common(name, kind, now, model, serial, firmware, celsius, hours):
    return {
        "json_format_version": [1, 0],
        "smartctl": {"version": [7, 4], "svn_revision": "5530", "platform_info": "x86_64-linux-6.1.0-18-amd64",
                     "build_info": "(local build)", "argv": ["smartctl", "-x", "-j", name], "exit_status": 0},
        "local_time": {"time_t": now, "asctime": time.asctime(time.gmtime(now)) + " UTC"},
        "device": {"name": name, "info_name": name, "type": kind, "protocol": "ATA" if kind == "sat" else "NVMe"},
        "model_name": model, "serial_number": serial, "firmware_version": firmware,
        "smart_status": {"passed": True}, "temperature": {"current": celsius},
        "power_on_time": {"hours": hours}, "power_cycle_count": 12}


def statistic(offset, name, size, value):
    return {"offset": offset, "name": name, "size": size, "value": value,
            "flags": {"value": 192, "string": "V---", "valid": True, "normalized": False, "supports_dsn": False,
                      "monitored_condition_met": False}}


def sata(drive, now, hours, written, celsius):
    raw = {9: hours, 12: 12, 173: 40 + hours // 24, 180: 2030, 194: celsius, 202: (40 + hours // 24) // 15,
           246: written // 512, 247: written // 30000, 248: written // 50000}
    table = [{"id": number, "name": name, "value": 100, "worst": 100, "thresh": 1 if number == 5 else 0,
              "when_failed": "",
              "flags": {"value": 50, "string": "-O--CK ", "prefailure": False, "updated_online": True,
                        "performance": False, "error_rate": False, "event_count": True, "auto_keep": True},
              "raw": {"value": raw.get(number, 0), "string": str(raw.get(number, 0))}}
             for number, name in ATTRIBUTES.items()]
    pages = [
        {"number": 1, "name": "General Statistics", "revision": 1, "table": [
            statistic(8, "Lifetime Power-On Resets", 4, 12), statistic(16, "Power-on Hours", 4, hours),
            statistic(24, "Logical Sectors Written", 6, written // 512),
            statistic(40, "Logical Sectors Read", 6, written // 200)]},
        {"number": 7, "name": "Solid State Device Statistics", "revision": 1, "table": [
            statistic(8, "Percentage Used Endurance Indicator", 1, (40 + hours // 24) // 15)]}]
    return {**common("/dev/sda", "sat", now, "Micron_5300_MTFDDAK3T8TDS", f"LINE{drive:06}", "D3MU001", celsius, hours),
            "user_capacity": {"blocks": 7501476528, "bytes": 3840755982336}, "logical_block_size": 512,
            "physical_block_size": 4096, "rotation_rate": 0, "form_factor": {"ata_value": 3, "name": "2.5 inches"},
            "wwn": {"naa": 5, "oui": 41077, "id": 5000000000 + drive},
            "ata_version": {"string": "ACS-4 T13/BSR INCITS 529 revision 5", "major_value": 2556, "minor_value": 94},
            "ata_smart_attributes": {"revision": 16, "table": table}, "ata_device_statistics": {"pages": pages},
            "ata_smart_error_log": {"extended": {"revision": 1, "sectors": 1, "count": 0}},
            "ata_smart_self_test_log": {"extended": {"revision": 1, "sectors": 1, "count": 1, "table": [
                {"type": {"value": 1, "string": "Short offline"}, "lifetime_hours": 11,
                 "status": {"value": 0, "string": "Completed without error", "passed": True}}]}}}


def nvme(drive, now, hours, written, celsius):
    errors = [{"error_count": 100 - i, "submission_queue_id": 0, "command_id": 24 + i, "phase_tag": False, "nsid": 1,
               "status_field": {"value": 8194, "do_not_retry": False, "status_code_type": 0, "status_code": 2,
                                "string": "Invalid Field in Command"},
               "parm_error_location": 40, "lba": {"value": 0}} for i in range(14)]
    tests = [{"self_test_code": {"value": 1, "string": "Short"}, "power_on_hours": 100 + i,
              "self_test_result": {"value": 0, "string": "Completed without error"}} for i in range(12)]
    return {**common("/dev/nvme0", "nvme", now, "SAMSUNG MZQL21T9HCJR-00A07", f"LINE{drive:06}", "GDC5602Q", celsius,
                     hours),
            "nvme_pci_vendor": {"id": 5197, "subsystem_id": 5197}, "nvme_ieee_oui_identifier": 9528,
            "nvme_total_capacity": 1920383410176, "nvme_unallocated_capacity": 0, "nvme_controller_id": 6,
            "nvme_version": {"string": "1.4", "value": 66560}, "nvme_number_of_namespaces": 32,
            "nvme_namespaces": [{"id": 1, "size": {"blocks": 3750748848, "bytes": 1920383410176},
                                 "capacity": {"blocks": 3750748848, "bytes": 1920383410176},
                                 "utilization": {"blocks": 284186528, "bytes": 145503502336},
                                 "formatted_lba_size": 512, "eui64": {"oui": 9528, "ext_id": 1234567 + drive}}],
            "nvme_smart_health_information_log": {
                "nsid": -1, "critical_warning": 0, "temperature": celsius, "available_spare": 100,
                "available_spare_threshold": 10, "percentage_used": hours // 500,
                "data_units_read": written // 300000, "data_units_written": written // 512000,
                "host_reads": written // 9000, "host_writes": written // 15000, "controller_busy_time": hours * 5,
                "power_cycles": 12, "power_on_hours": hours, "unsafe_shutdowns": 3, "media_errors": 0,
                "num_err_log_entries": 14, "warning_temp_time": 0, "critical_comp_time": 0,
                "temperature_sensors": [celsius, celsius + 3, celsius + 8]},
            "nvme_error_information_log": {"size": 64, "read": 14, "unread": 0, "table": errors},
            "nvme_self_test_log": {"nsid": -1, "table": tests,
                                   "current_self_test_operation": {"value": 0, "string": "No self-test in progress"}}}


def short(*args):
    line = nvme(*args)
    for log in ("smart_status", "nvme_error_information_log", "nvme_self_test_log"):
        del line[log]
    return line


def write_lines(path, kinds, hours):
    draw = random.Random(1)
    rates = [draw.uniform(2e9, 60e9) for _ in range(DRIVES)]
    with open(path, "w", encoding="ascii") as out:
        for hour in range(hours):
            for drive in range(DRIVES):
                written = int(rates[drive] * (1000 + hour + 0.9 * draw.random()))
                line = kinds[drive % len(kinds)](drive, START + hour * 3600 + drive, 1000 + hour, written, 38 + hour % 8)
                out.write(json.dumps(line, separators=(",", ":")) + "\n")


def spent(*command):
    """Seconds of CPU time and by the clock."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    after, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


def measure(binary, bench, folder, what, kinds, hours):
    lines = folder / f"{what}.jsonl"
    write_lines(lines, kinds, hours)
    cpu, clock, details = [], [], []
    for i in range(ROUNDS):
        database = folder / f"{what}-{i}.db"
        ours = spent(binary, "import", "--no-progress", "--db", database, lines)
        bare = json.loads(subprocess.run([bench, lines, database, folder / f"{what}-bare-{i}.db"], check=True,
                                         stdout=subprocess.PIPE).stdout)
        cpu.append(ours[0] / (bare["parse_cpu"] + bare["insert_cpu"]))
        clock.append(ours[1] / (bare["parse_clock"] + bare["insert_clock"]))
        details.append((ours[0], bare))
    ours, bare = details[cpu.index(statistics.median(cpu))]
    per_line = 1e6 / bare["lines"]
    return verdict(f"import of {what} lines / (cJSON_Parse + bare insert)", statistics.median(cpu), BOUND,
                   f"{bare['lines']:,} lines of {bare['bytes'] / bare['lines']:,.0f} B; CPU us a line: "
                   f"{ours * per_line:.0f} / ({bare['parse_cpu'] * per_line:.0f} + "
                   f"{bare['insert_cpu'] * per_line:.0f}); by the clock {statistics.median(clock):.2f}")


def run(binary, bench, folder):
    good = measure(binary, bench, folder, "long", (nvme, sata), LONG_HOURS)
    return measure(binary, bench, folder, "short", (short,), SHORT_HOURS) and good
