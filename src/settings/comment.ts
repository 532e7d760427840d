/** Comments behind values in files of settings: some programs that read such files take them off, and others leave them in. */

/**
 * Compose, dotenv and a shell take off what is behind a blank and `#`. `docker run --env-file`, kubectl and the `EnvironmentFile`
 * of systemd only know comments that begin their line.
 */
export function hasComment(value: string): boolean {
  return /(^|\s)#/.test(value)
}

export const commentFault =
  'must have no comment behind it: docker run --env-file, kubectl and systemd keep what Compose, dotenv and a shell take off; ' +
  'write the comment on a line of its own'
