import { generateKeyPairSync, sign } from 'node:crypto'

/** A self-signed certificate for 127.0.0.1 and its key, in PEM. */
export function createCertificate(): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(element(0x31, sequence(commonName, element(0x0c, Buffer.from('test')))))
  const [notBefore, notAfter] = [-1, 1].map((days) =>
    time(new Date(Date.now() + days * 86_400_000)),
  )
  const names = sequence(element(0x87, Buffer.from([127, 0, 0, 1])))
  const extensions = sequence(sequence(subjectAltName, element(0x04, names)))
  const body = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(notBefore ?? Buffer.alloc(0), notAfter ?? Buffer.alloc(0)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, extensions),
  )
  const signature = element(
    0x03,
    Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]),
  )
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64')
  const lines = base64.match(/.{1,64}/g)?.join('\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const commonName = Buffer.from('0603550403', 'hex')
const subjectAltName = Buffer.from('0603551d11', 'hex')
const ecdsaWithSha256 = Buffer.from('300a06082a8648ce3d040302', 'hex')

/** With two digits for the year: Chromium takes no other for a year before 2050. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return element(0x17, Buffer.from(digits.slice(2)))
}

function sequence(...parts: Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts))
}

/** DER: tag, length, content. */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content
  return Buffer.concat([Buffer.from([tag, ...sizeOf(length)]), content])
}

/** The shortest form: Chromium takes no other. */
function sizeOf(length: number): number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}
