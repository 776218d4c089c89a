/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LIB_NVME_LOGS_H
#define TESTS_LIB_NVME_LOGS_H

#include "base/u128.h"
#include "decode/snapshot.h"

/*
 * Builders of NVMe structures and logs for tests: a log is a buffer of zeros into which a test puts
 * the fields that it is about, by the offsets of the specification, independently of the decoder's
 * tables.
 */

#define LOG_MAX 16384

struct log_page {
	uint8_t bytes[LOG_MAX];
	size_t len;
};

/* Little-endian integer of 1..16 bytes at off. */
void put(struct log_page *p, size_t off, unsigned width, u128 v);

/* A string padded with spaces to n bytes. */
void put_text(struct log_page *p, size_t off, size_t n, const char *s);

/* Bytes as they are. */
void put_bytes(struct log_page *p, size_t off, const void *src, size_t n);

/* Identify Controller of NVMe 1.4 with one namespace, vendor 144Dh. */
void build_controller(struct log_page *p, const char *model, const char *serial, const char *fw);

/* Identify Namespace: blocks of 2^shift bytes with ms bytes of metadata, format number 1. */
void build_namespace(struct log_page *p, uint64_t blocks, unsigned shift, unsigned ms);

/* Log 02h of a healthy drive: 41 C, spare 100 % above 10 %, 3 % used, 1,000,000 units written. */
void build_smart(struct log_page *p);

/* Log C0h of the OCP specification of this version: 655 TB of media written. */
void build_ocp(struct log_page *p, unsigned version);

/* A record of 12 bytes as in log CAh: key, normalized 100, six bytes of raw value. */
void put_record(struct log_page *p, unsigned index, uint8_t key, uint64_t raw);

/* Add it to a snapshot; asserts that it fits. */
void add_page(struct snapshot *s, enum log_space space, uint32_t id, uint32_t sub,
	      const struct log_page *p);

/* Controller, namespace and log 02h of one drive. */
void build_drive(struct snapshot *s);

#endif
