-- rolling: safe
-- Sign-ins per day, cached for past days: audit events are append-only. It can be emptied at any time.
create table sign_in_days (
  day date primary key,
  succeeded bigint not null,
  failed bigint not null
);
