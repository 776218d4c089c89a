/* SPDX-License-Identifier: MIT */
#ifndef STORE_STATEMENTS_H
#define STORE_STATEMENTS_H

/* Every statement on the tables of db/history-*.sql, but for upkeep that runs once in a while. */

#define DRIVE_COLUMNS                                                              \
	"id, serial, model, capacity, protocol, firmware, wwn, vendor, family, "   \
	"block_bytes, rotational, incomplete, path, via, by_id, location, array, " \
	"samples, first_time, last_time, last_live"
#define SAMPLE_COLUMNS "time, frame, raw_number, flags, facts, raw"

#define STATEMENTS(X)                                                                              \
	X(SQL_ROLLBACK, "ROLLBACK")                                                                \
	X(SQL_DATA_VERSION, "PRAGMA data_version")                                                 \
	X(SQL_FACTS, "SELECT id, name FROM fact")                                                  \
	X(SQL_FACT_ADD, "INSERT INTO fact (name) VALUES (?1)")                                     \
	X(SQL_SOURCE, "SELECT text FROM source WHERE id = ?1")                                     \
	X(SQL_SOURCE_BY_TEXT, "SELECT id FROM source WHERE text = ?1")                             \
	X(SQL_SOURCE_ADD, "INSERT INTO source (text) VALUES (?1)")                                 \
	X(SQL_DRIVES, "SELECT " DRIVE_COLUMNS " FROM drive ORDER BY model, serial, capacity")      \
	X(SQL_DRIVE, "SELECT " DRIVE_COLUMNS " FROM drive WHERE id = ?1")                          \
	X(SQL_DRIVES_BY_SERIAL,                                                                    \
	  "SELECT " DRIVE_COLUMNS " FROM drive WHERE serial = ?1 COLLATE NOCASE "                  \
	  "ORDER BY model, capacity")                                                              \
	X(SQL_DRIVES_BY_BY_ID, "SELECT " DRIVE_COLUMNS " FROM drive WHERE by_id = ?1 "             \
			       "ORDER BY last_live DESC, last_time DESC")                          \
	X(SQL_DRIVES_BY_PATH, "SELECT " DRIVE_COLUMNS " FROM drive WHERE path = ?1 "               \
			      "ORDER BY last_live DESC, last_time DESC")                           \
	X(SQL_PATH_OWNER, "SELECT id FROM drive WHERE path = ?1 AND via = ?2 "                     \
			  "ORDER BY last_live DESC, last_time DESC, id DESC LIMIT 1")              \
	X(SQL_DRIVES_BY_LOCATION, "SELECT " DRIVE_COLUMNS " FROM drive WHERE location = ?1 "       \
				  "ORDER BY last_live DESC, last_time DESC")                       \
	X(SQL_DRIVE_ADD,                                                                           \
	  "INSERT INTO drive (serial, model, protocol, firmware, wwn, vendor, family, "            \
	  "block_bytes, rotational, incomplete, path, via, by_id, location, array, samples, "      \
	  "first_time, last_time) VALUES (?1, ?2, '', '', '', '', '', 0, 0, 0, '', '', '', '', "   \
	  "'', 0, 0, 0)")                                                                          \
	X(SQL_DRIVE_SET,                                                                           \
	  "UPDATE drive SET serial = ?2, model = ?3, capacity = ?4, protocol = ?5, firmware = "    \
	  "?6, "                                                                                   \
	  "wwn = ?7, vendor = ?8, family = ?9, block_bytes = ?10, rotational = ?11, "              \
	  "incomplete = ?12, path = ?13, via = ?14, by_id = ?15, location = ?16, array = ?17, "    \
	  "samples = ?18, first_time = ?19, last_time = ?20, last_live = ?21 WHERE id = ?1")       \
	X(SQL_FRAME, "SELECT protocol, firmware, path, by_id, location, array, facts FROM frame "  \
		     "WHERE drive = ?1 AND number = ?2")                                           \
	X(SQL_FRAME_NUMBERS,                                                                       \
	  "SELECT number FROM frame WHERE drive = ?1 ORDER BY number DESC LIMIT ?2")               \
	X(SQL_FRAME_ADD, "INSERT INTO frame (drive, number, protocol, firmware, path, by_id, "     \
			 "location, array, facts) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")    \
	X(SQL_RAW, "SELECT base, data FROM raw WHERE drive = ?1 AND number = ?2")                  \
	X(SQL_RAW_LAST, "SELECT max(number) FROM raw WHERE drive = ?1")                            \
	X(SQL_RAW_ADD, "INSERT INTO raw (drive, number, base, data) VALUES (?1, ?2, ?3, ?4)")      \
	X(SQL_SAMPLE_AT, "SELECT " SAMPLE_COLUMNS " FROM sample WHERE drive = ?1 AND time = ?2")   \
	X(SQL_SAMPLE_BEFORE, "SELECT " SAMPLE_COLUMNS " FROM sample WHERE drive = ?1 AND "         \
			     "time <= ?2 ORDER BY time DESC LIMIT 1")                              \
	X(SQL_SAMPLE_AFTER, "SELECT " SAMPLE_COLUMNS " FROM sample WHERE drive = ?1 AND "          \
			    "time >= ?2 ORDER BY time LIMIT 1")                                    \
	X(SQL_SAMPLES, "SELECT " SAMPLE_COLUMNS " FROM sample WHERE drive = ?1 AND "               \
		       "time BETWEEN ?2 AND ?3 ORDER BY time")                                     \
	X(SQL_SAMPLES_UNDATED, "SELECT " SAMPLE_COLUMNS " FROM sample WHERE drive = ?1 AND "       \
			       "facts = ?2 AND flags & 2")                                         \
	X(SQL_SAMPLE_ADD,                                                                          \
	  "INSERT INTO sample (drive, " SAMPLE_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")    \
	X(SQL_SAMPLE_SET_FACTS,                                                                    \
	  "UPDATE sample SET frame = ?3, facts = ?4 WHERE drive = ?1 AND time = ?2")               \
	X(SQL_SAMPLE_DELETE, "DELETE FROM sample WHERE drive = ?1 AND time = ?2")                  \
	X(SQL_EVENTS, "SELECT time, kind, text FROM event WHERE drive = ?1 AND "                   \
		      "time BETWEEN ?2 AND ?3 ORDER BY time, kind, text")                          \
	X(SQL_EVENT_ADD, "INSERT OR IGNORE INTO event (drive, time, kind, text, derived) "         \
			 "VALUES (?1, ?2, ?3, ?4, ?5)")                                            \
	X(SQL_EVENTS_FORGET, "DELETE FROM event WHERE drive = ?1 AND time = ?2 AND derived")       \
	X(SQL_SAMPLE_SIZES, "SELECT time, length(facts) + coalesce(length(raw), 0) FROM sample "   \
			    "WHERE drive = ?1 ORDER BY time")                                      \
	X(SQL_EVENT_TIMES, "SELECT DISTINCT time FROM event WHERE drive = ?1 ORDER BY time")       \
	X(SQL_DRIVE_COUNT, "UPDATE drive SET samples = ?2 WHERE id = ?1")                          \
	X(SQL_FRAMES_DROP, "DELETE FROM frame WHERE drive = ?1 AND number NOT IN "                 \
			   "(SELECT frame FROM sample WHERE drive = ?1)")                          \
	X(SQL_RAW_DROP, "DELETE FROM raw WHERE drive = ?1 AND base IS NOT NULL AND number NOT IN " \
			"(SELECT raw_number FROM sample WHERE drive = ?1)")                        \
	X(SQL_RAW_BASES_DROP,                                                                      \
	  "DELETE FROM raw WHERE drive = ?1 AND base IS NULL AND number NOT IN "                   \
	  "(SELECT raw_number FROM sample WHERE drive = ?1) AND number NOT IN "                    \
	  "(SELECT base FROM raw WHERE drive = ?1 AND base IS NOT NULL)")

enum statement {
#define X(e, sql) e,
	STATEMENTS(X)
#undef X
		STATEMENT_COUNT
};

#endif
