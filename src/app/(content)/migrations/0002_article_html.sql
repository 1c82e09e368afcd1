-- rolling: safe
-- The rendered body. With a version but without HTML, the body is too complex to render. Without a
-- version it is rendered when it is next read.
alter table articles
  add column html text,
  add column renderer_version integer;

-- Processes of the previous version change the body and do not know its HTML.
create function articles_clear_html() returns trigger language plpgsql as $$
begin
  new.html := null;
  new.renderer_version := null;
  return new;
end
$$;

create trigger articles_clear_html before update of body on articles for each row
  when (new.body is distinct from old.body and new.html is not distinct from old.html)
  execute function articles_clear_html();
