INSERT INTO "account" ("id", "name", "created_at") VALUES ('acct_default', 'default', now()) ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO "template" ("account_id", "slug", "text", "updated_at") VALUES ('acct_default', 'welcome', 'Welcome, {{name}}!', now()) ON CONFLICT DO NOTHING;
