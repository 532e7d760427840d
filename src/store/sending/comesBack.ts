/** Codes that are checked here, and those that only pass through. */

/** Of a message `m`: whether its code comes back here. One of an inlet does so where it was posted, but for those that were checked here. */
export const comesBack = `(m.verified_at is not null or m.key_id is not null or (m.timeline -> 0 ? 'inlet') is not true)`
