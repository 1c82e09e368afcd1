-- Counts that several instances share. Nothing is lost that matters when it is emptied.

create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire_index on rate_limits (expire);
