import { Redis } from 'ioredis'
import { createTransport } from 'nodemailer'
import { exportsTraces, traceProtocol } from '#config/trace-settings'
import { type Facts, reporter } from '#doctor/facts'
import type { Finding } from '#modules/module'

const timeoutMs = 5_000

const mail = reporter('mail')

/** Connects and signs in. It sends no message. */
export async function checkMail({ settings, exposed }: Facts): Promise<Finding[]> {
  const { SMTP_URL, DATA_DIR } = settings
  if (!SMTP_URL) {
    const message = `SMTP_URL is not set: mail is written to ${DATA_DIR}/outbox.`
    const remedy =
      'Set SMTP_URL and MAIL_FROM. Without them no user can sign up or reset a password.'
    return [exposed ? mail.warning(message, remedy) : mail.ok(message)]
  }
  const transport = createTransport({
    url: SMTP_URL,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  try {
    await transport.verify()
    return [mail.ok('Mail is sent through SMTP_URL, which accepts connections.')]
  } catch (error) {
    const { responseCode } = error as { responseCode?: number }
    const reason = responseCode ?? codeOf(error)
    return [
      reason === 'EAUTH' || codeOf(error) === 'EAUTH'
        ? mail.error(`SMTP_URL: the server refused the user (${reason}).`, 'Correct the password.')
        : mail.error(
            `SMTP_URL: the mail server is unavailable (${reason}).`,
            'Check that it runs, and check host, port and TLS.',
          ),
    ]
  } finally {
    transport.close()
  }
}

const redis = reporter('redis')

export async function checkRedis({ settings: { REDIS_URL } }: Facts): Promise<Finding[]> {
  if (!REDIS_URL) return []
  const client = new Redis(REDIS_URL, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let last: unknown
  client.on('error', (error) => {
    last = error
  })
  try {
    await client.connect()
    await client.ping()
    return [redis.ok('Redis responds.')]
  } catch (error) {
    return [
      redis.error(
        `REDIS_URL: Redis is unavailable (${codeOf(last ?? error)}).`,
        'Check that it runs, and check host, port and password. Until then each process counts rate limits for itself.',
      ),
    ]
  } finally {
    client.disconnect()
  }
}

const traces = reporter('traces')

/** An export without spans: the receiver stores nothing. */
export async function checkTraces({ settings }: Facts): Promise<Finding[]> {
  if (!exportsTraces(settings)) return []
  const { receiverHeaders, receiverUrl } = await import('#server/tracing/provider')
  const json = traceProtocol(settings) === 'http/json'
  const url = receiverUrl(settings)
  const { origin, pathname } = new URL(url)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...receiverHeaders(settings),
        'content-type': json ? 'application/json' : 'application/x-protobuf',
      },
      body: json ? '{"resourceSpans":[]}' : new Uint8Array(),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    if (response.ok) return [traces.ok('The receiver of traces responds.')]
    return [
      traces.warning(
        `The receiver of traces at ${origin}${pathname} responds with ${response.status}.`,
        'Check the path and OTEL_EXPORTER_OTLP_HEADERS.',
      ),
    ]
  } catch (error) {
    return [
      traces.warning(
        `The receiver of traces at ${origin} is unavailable (${codeOf(error)}).`,
        'Check that it runs, and check OTEL_EXPORTER_OTLP_ENDPOINT.',
      ),
    ]
  }
}

/** Never the message, which may repeat the URL with its password. */
function codeOf(error: unknown): string {
  const { code, name, cause } = error as { code?: unknown; name?: string; cause?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined ? (name ?? 'unknown') : codeOf(cause)
}
