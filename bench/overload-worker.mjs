import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { origin, users, password, rate, seconds } = workerData
const agent = new Agent({ keepAlive: true })
const counts = { signedIn: 0, rejected: 0, withoutRetryAfter: 0, other: {} }

/** Open model: sends at a fixed rate whether or not earlier requests have completed. */
const start = performance.now()
const requests = []
const timer = setInterval(() => {
  const elapsed = Math.min(performance.now() - start, seconds * 1000)
  const due = Math.floor((elapsed / 1000) * rate)
  while (requests.length < due) requests.push(signIn(requests.length))
  if (elapsed < seconds * 1000) return
  clearInterval(timer)
  Promise.all(requests).then(() => parentPort.postMessage(counts))
}, 5)

function signIn(index) {
  const email = `user${1 + (index % users)}@example.com`
  const body = JSON.stringify({ email, password, transport: 'bearer' })
  return new Promise((resolve) => {
    const options = {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        // A different client IP for each request.
        'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
      },
    }
    const sent = request(`${origin}/api/auth/signin`, options, (response) => {
      response.resume().once('close', resolve)
      count(response)
    })
    sent.once('error', () => {
      countOther(0)
      resolve()
    })
    sent.end(body)
  })
}

function count({ statusCode, headers }) {
  if (statusCode === 200) counts.signedIn += 1
  else if (statusCode !== 429) countOther(statusCode)
  else {
    counts.rejected += 1
    if (!(Number(headers['retry-after']) > 0)) counts.withoutRetryAfter += 1
  }
}

function countOther(status) {
  counts.other[status] = 1 + (counts.other[status] ?? 0)
}
