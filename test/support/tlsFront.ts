/** TLS in front of a server that has none, with a certificate for the names of `provider.example`. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { certificate } from './ownCa.ts'

export interface TlsFront {
  port: number
  close: () => void
}

/** @param target a port of this machine */
export async function startTlsFront(target: number): Promise<TlsFront> {
  const open = new Set<TLSSocket>()
  const server = createServer(certificate, (socket) => {
    open.add(socket)
    const onward = connect(target, '127.0.0.1')
    socket.pipe(onward).pipe(socket)
    socket
      .on('error', () => {})
      .on('close', () => {
        open.delete(socket)
        onward.destroy()
      })
    onward.on('error', () => {}).on('close', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
