-- rolling: safe
-- The static files of the last builds. An instance of another build serves them too, so that a page that
-- was loaded before a deployment, or from another instance, finds its scripts and styles.
create table static_files (
  hash bytea primary key,
  content bytea not null,
  constraint static_files_hash_matches check (hash = sha256(content))
);

-- `files` has the hash of each file, in hexadecimal, by its path below /_next/static/.
create table static_builds (
  id text primary key,
  files jsonb not null,
  used_at timestamptz(3) not null default now(),
  constraint static_builds_files_small check (
    jsonb_typeof(files) = 'object' and octet_length(files::text) <= 1000000
  )
);
create index static_builds_used_at_index on static_builds (used_at);
