-- The sign-ins of days that are over, counted once: the audit trail that they are counted from can
-- only grow, and only at its end. Nothing is lost when it is emptied.
create table sign_in_days (
  day date primary key,
  succeeded bigint not null,
  failed bigint not null
);
