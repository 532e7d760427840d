/** DNS on this machine, which knows some names, says of others that there are none, and of some says nothing. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

export interface NameServer {
  /** With its port. */
  address: string
  /** The names of all questions, in the order in which they came. */
  asked: string[]
  close: () => Promise<void>
}

/** @param names with the addresses of each; of one that is `silent`, nothing is said */
export async function startNameServer(names: Readonly<Record<string, readonly string[] | 'silent'>>) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (message, { port, address }) => {
    const question = questionIn(message)
    asked.push(question.name)
    const known = names[question.name]
    if (known !== 'silent') socket.send(answerTo(message, question, known), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const server: NameServer = {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  return server
}

const headBytes = 12
const [typeA, typeAaaa] = [1, 28]
const noSuchName = 3

interface Question {
  name: string
  type: number
  /** Where it ends in the message. */
  end: number
}

function questionIn(message: Buffer): Question {
  const labels: string[] = []
  let at = headBytes
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(message: Buffer, { type, end }: Question, known: readonly string[] | undefined): Buffer {
  const records = (known ?? []).map((address) => Buffer.from(ipaddr.parse(address).toByteArray()))
  const wanted = records.filter(({ length }) => (length === 4 ? typeA : typeAaaa) === type)
  const head = Buffer.from(message.subarray(0, headBytes))
  // A recursive server's answer.
  head.writeUInt16BE(0x8180 | (known ? 0 : noSuchName), 2)
  for (const [index, count] of [1, wanted.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + 2 * index)
  return Buffer.concat([head, message.subarray(headBytes, end), ...wanted.flatMap((data) => encodeRecord(type, data))])
}

/** Of the name that was asked for, good for a minute. */
function encodeRecord(type: number, data: Buffer): Buffer[] {
  const front = Buffer.alloc(headBytes)
  front.writeUInt16BE(0xc000 | headBytes, 0)
  front.writeUInt16BE(type, 2)
  front.writeUInt16BE(1, 4)
  front.writeUInt32BE(60, 6)
  front.writeUInt16BE(data.length, 10)
  return [front, data]
}
