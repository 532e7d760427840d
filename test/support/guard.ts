/** Where a connection of a test may lead: to this machine too, and without TLS. */
import { createAddressGuard } from '../../src/outbound/address.ts'

export const localGuard = createAddressGuard({ allowHttp: true, allowLoopback: true, allowOwnNetworks: true })
