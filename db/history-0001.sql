-- The history database, version 1. Numbers are base units, times are UTC seconds since 1970, and
-- texts are as the drive or the kernel gave them, which need not be UTF-8.

-- A drive is its model, serial number and capacity. What may be empty or NULL is not known yet.
-- All else here is as of the latest sample; counts and times are kept so that no command has to
-- count samples.
CREATE TABLE drive (
	id INTEGER PRIMARY KEY,
	serial TEXT NOT NULL,
	model TEXT NOT NULL,
	capacity INTEGER,
	protocol TEXT NOT NULL,
	firmware TEXT NOT NULL,
	wwn TEXT NOT NULL,
	vendor TEXT NOT NULL,
	family TEXT NOT NULL,
	block_bytes INTEGER NOT NULL,
	rotational INTEGER NOT NULL,
	incomplete INTEGER NOT NULL,
	path TEXT NOT NULL,
	via TEXT NOT NULL,
	by_id TEXT NOT NULL,
	location TEXT NOT NULL,
	array TEXT NOT NULL,
	samples INTEGER NOT NULL,
	first_time INTEGER NOT NULL,
	last_time INTEGER NOT NULL,
	last_live INTEGER
) STRICT;
CREATE INDEX drive_serial ON drive (serial COLLATE NOCASE);
CREATE INDEX drive_path ON drive (path, via, last_live, last_time);
CREATE INDEX drive_by_id ON drive (by_id, last_live, last_time);
CREATE INDEX drive_location ON drive (location, last_live, last_time);

-- Names of the canonical facts, so that a row does not depend on the order of an enumeration.
CREATE TABLE fact (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE
) STRICT;

-- Where values come from: each text once.
CREATE TABLE source (
	id INTEGER PRIMARY KEY,
	text TEXT NOT NULL UNIQUE
) STRICT;

-- What seldom changes from sample to sample: place, and for each fact its source and a base value
-- that the samples' values are differences to. A sample is decoded by its frame alone.
CREATE TABLE frame (
	drive INTEGER NOT NULL REFERENCES drive (id),
	number INTEGER NOT NULL,
	protocol TEXT NOT NULL,
	firmware TEXT NOT NULL,
	path TEXT NOT NULL,
	by_id TEXT NOT NULL,
	location TEXT NOT NULL,
	array TEXT NOT NULL,
	facts BLOB NOT NULL,
	PRIMARY KEY (drive, number)
) STRICT, WITHOUT ROWID;

-- Raw logs that those of other samples are differences to: whole (base is NULL), or themselves a
-- difference to a whole one. zstd without its magic number, or after a byte 0 a plain difference.
CREATE TABLE raw (
	drive INTEGER NOT NULL REFERENCES drive (id),
	number INTEGER NOT NULL,
	base INTEGER,
	data BLOB NOT NULL,
	PRIMARY KEY (drive, number),
	FOREIGN KEY (drive, base) REFERENCES raw (drive, number)
) STRICT, WITHOUT ROWID;

-- raw: the difference of this sample's logs to those of row raw_number, NULL where there is none.
-- raw_number is no foreign key, because deleting a row of raw would look through all samples of
-- its drive; the check of the database tests it. flags: 1 read live, 2 dated by its file.
CREATE TABLE sample (
	drive INTEGER NOT NULL,
	time INTEGER NOT NULL,
	frame INTEGER NOT NULL,
	raw_number INTEGER NOT NULL,
	flags INTEGER NOT NULL,
	facts BLOB NOT NULL,
	raw BLOB,
	PRIMARY KEY (drive, time),
	FOREIGN KEY (drive, frame) REFERENCES frame (drive, number)
) STRICT, WITHOUT ROWID;

-- Dumps without a time of their own are the same if they say the same.
CREATE INDEX sample_undated ON sample (drive, facts) WHERE flags & 2;

-- derived: found between two samples, and found anew when these change.
CREATE TABLE event (
	drive INTEGER NOT NULL REFERENCES drive (id),
	time INTEGER NOT NULL,
	kind TEXT NOT NULL,
	text TEXT NOT NULL,
	derived INTEGER NOT NULL,
	PRIMARY KEY (drive, time, kind, text)
) STRICT, WITHOUT ROWID;
