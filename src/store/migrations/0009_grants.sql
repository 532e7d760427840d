-- old code works throughout: nothing is taken from anybody.
-- 0008 made the tables of messages and events anew, without what other roles had been granted on them. What they were granted
-- on the tables that were there before, which are the default partitions now, holds for the new ones and their partitions too.
DO $$
DECLARE
  kept record;
BEGIN
  FOR kept IN
    SELECT part.relid::regclass AS name, access.privilege_type, CASE access.grantee WHEN 0 THEN 'PUBLIC' ELSE access.grantee::regrole::text END AS holder,
      CASE WHEN access.is_grantable THEN ' WITH GRANT OPTION' END AS further
    FROM unnest(ARRAY['message', 'leg', 'sandbox_message', 'event', 'event_delivery', 'event_attempt']) AS names (name)
    JOIN pg_class AS before ON before.oid = to_regclass(names.name || '_default')
    CROSS JOIN LATERAL aclexplode(before.relacl) AS access
    JOIN LATERAL pg_partition_tree(to_regclass(names.name)) AS part ON part.relid <> before.oid
    WHERE access.grantee <> before.relowner
  LOOP
    EXECUTE format('GRANT %s ON %s TO %s%s', kept.privilege_type, kept.name, kept.holder, kept.further);
  END LOOP;
END $$;
