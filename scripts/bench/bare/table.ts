/** The table of the bare servers: the columns of the service's `message`, with its primary key and one index. */
export const table = `
  create table message (
    account_id text not null,
    id text not null,
    mode text not null,
    kind text not null,
    phone text not null,
    channel text not null default 'sandbox',
    status text not null,
    status_at timestamptz(3) not null,
    error_code text,
    content bytea,
    delivery_attempts smallint not null default 0,
    provider_message_id text,
    timeline jsonb not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    verified_at timestamptz(3),
    primary key (account_id, id)
  );
  create index message_phone on message (phone);`
