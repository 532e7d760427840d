/** A service whose doors share ports. */
import { loadConfig } from '../../src/settings/config.ts'
import type { PortSettings } from '../../src/settings/ports.ts'
import { freePort } from './port.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'

export const opsToken = 'a-token-for-operations-of-32-characters'

/** The settings of ports, as the service reads them. */
export function portsBy(environment: NodeJS.ProcessEnv): PortSettings {
  const { host, port, publicUrl, opsHost, opsHosts, opsPort, opsToken, opsShare, ...rest } = loadConfig(environment, {
    role: 'serve',
  })
  const { dashboardPort, dashboardHost, dashboardShare, dashboardUrl, dashboardProxies } = rest
  return {
    ...{ host, port, publicUrl, opsHost, opsHosts, opsPort, opsToken, opsShare },
    ...{ dashboardPort, dashboardHost, dashboardShare, dashboardUrl, dashboardProxies },
  }
}

/** All on one port. @param environment more settings of ports */
export async function startOnOnePort(
  environment: NodeJS.ProcessEnv = {},
  { config, ...options }: ServerOptions = {},
): Promise<TestServer & { port: number }> {
  const port = await freePort()
  const [PORT, DASHBOARD_PORT, OPS_PORT] = [String(port), String(port), String(port)]
  const ports = portsBy({ PORT, DASHBOARD_PORT, OPS_PORT, ...environment })
  const server = await startServer({ ...options, config: { ...ports, ...config } })
  return { ...server, dashboardUrl: `${server.directUrl}/dashboard`, port }
}
