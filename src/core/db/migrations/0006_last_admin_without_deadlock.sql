-- The look for another admin used to lock the one it found. Whoever changes something has locked
-- themselves before, so two admins who left at the same moment waited for each other until the
-- database ended one of them. Under read committed the lock of the statement is enough: nobody
-- else can take a role away until this transaction ends, and the look sees all that have ended.

create or replace function refuse_loss_of_last_admin() returns trigger language plpgsql as $$
begin
  if current_setting('transaction_isolation') = 'read committed' then
    perform 1 from users where role = 'admin' limit 1;
  else
    perform 1 from users where role = 'admin' limit 1 for share;
  end if;
  if not found then
    raise exception 'the last admin can be neither demoted nor deleted' using errcode = 'PL001';
  end if;
  return null;
end
$$;
