/** What orval has no command line option for: where the service is, and that the Idempotency-Key is a parameter. */
export default {
  watchword: {
    input: '../openapi.json',
    output: {
      target: 'generated/client.ts',
      client: 'fetch',
      headers: true,
      baseUrl: { runtime: 'process.env.WATCHWORD_URL' },
    },
  },
}
