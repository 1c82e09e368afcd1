-- rolling: safe
create table articles (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  body text not null,
  -- Incremented at each save; a save names the version that it started from.
  version integer not null default 1,
  published_at timestamptz(3),
  -- Articles stay when their author is deleted.
  author_id uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint articles_title_length check (
    title ~ '[^[:space:]]' and title !~ '[[:cntrl:]]' and char_length(title) <= 200
  ),
  constraint articles_body_length check (char_length(body) <= 50000)
);
create index articles_updated_index on articles (updated_at desc, id desc);
create index articles_published_index on articles (published_at desc, id desc)
  where published_at is not null;
create index articles_author_id_index on articles (author_id);
