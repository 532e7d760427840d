/** Of which version of libphonenumber-js the numbering plans are, and when it was published: its package has no date. */
export const numberingPlan = { version: '1.13.16', date: '2026-11-10' } as const
