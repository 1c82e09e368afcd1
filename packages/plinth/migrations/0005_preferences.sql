-- rolling: unsafe
-- Chosen by the user. Null if they have not: then the browser decides.
alter table users
  add column time_zone text,
  add column theme text,
  add constraint users_time_zone_form check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{1,63}$'),
  add constraint users_theme_known check (theme in ('system', 'light', 'dark'));
