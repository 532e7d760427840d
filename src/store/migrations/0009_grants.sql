-- old code works throughout: nothing is taken from anybody.
-- 0008 made the tables of messages and events anew, without what other roles had been granted on them. What they were granted
-- on the tables that were there before, which are the default partitions now, holds for the new ones too.
DO $$
DECLARE
  kept record;
BEGIN
  FOR kept IN
    SELECT name, access.*, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS holder
    FROM unnest(ARRAY['message', 'leg', 'sandbox_message', 'event', 'event_delivery', 'event_attempt']) AS names (name)
    JOIN pg_class AS before ON before.oid = to_regclass(name || '_default')
    CROSS JOIN LATERAL aclexplode(before.relacl) AS access
    WHERE access.grantee <> before.relowner
  LOOP
    EXECUTE format('GRANT %s ON %I TO %s%s', kept.privilege_type, kept.name, kept.holder,
      CASE WHEN kept.is_grantable THEN ' WITH GRANT OPTION' END);
  END LOOP;
END $$;
