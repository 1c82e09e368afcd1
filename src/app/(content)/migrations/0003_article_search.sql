-- rolling: unsafe
-- The words of an article, and any part of its title: searches must not read every text. Without
-- punctuation: the parser would read on for the end of each tag, URL or path, which takes seconds in
-- a hostile text.
create index articles_words_index on articles
  using gin (to_tsvector('simple', translate(title || ' ' || body, '<>&/@:.-_', '         ')));
create index articles_title_index on articles using gin (title gin_trgm_ops);

-- When an unpublished article had been published, so that undo restores its place in the list.
alter table articles add column last_published_at timestamptz(3);
