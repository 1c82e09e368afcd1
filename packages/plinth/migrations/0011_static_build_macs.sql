-- rolling: safe
-- Of the names and hashes in `files`, with a key from AUTH_SECRET. Builds of earlier versions have none; their
-- files are served by their own instances only.
alter table static_builds add column mac bytea;
