
-- version NEXT: what upgrade_test.py adds to schema.sql, to have a version to upgrade to: further columns and an index,
-- and a function that is made again
ALTER TABLE match ADD further int NOT NULL DEFAULT 1;
ALTER TABLE player ADD further text;
ALTER TABLE entry ADD further int;
ALTER TABLE node ADD further int NOT NULL DEFAULT 0;
CREATE INDEX entry_further ON entry (further) WHERE further IS NOT NULL;
DROP FUNCTION log_in(int, text, bytea, bool);
