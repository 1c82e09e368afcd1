import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { origin, people, password, rate, seconds } = workerData
const agent = new Agent({ keepAlive: true })
const counts = { signedIn: 0, turnedAway: 0, withoutRetryAfter: 0, other: {} }

/** As many as are due by now, answered or not: people do not wait for each other. */
const start = performance.now()
const asked = []
const timer = setInterval(() => {
  const elapsed = Math.min(performance.now() - start, seconds * 1000)
  const due = Math.floor((elapsed / 1000) * rate)
  while (asked.length < due) asked.push(signIn(asked.length))
  if (elapsed < seconds * 1000) return
  clearInterval(timer)
  Promise.all(asked).then(() => parentPort.postMessage(counts))
}, 5)

function signIn(index) {
  const email = `person${1 + (index % people)}@example.com`
  const body = JSON.stringify({ email, password, transport: 'bearer' })
  return new Promise((resolve) => {
    const options = {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        // From many places, as in a real rush.
        'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
      },
    }
    const sent = request(`${origin}/api/auth/signin`, options, (answer) => {
      answer.resume().once('close', resolve)
      count(answer)
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
    counts.turnedAway += 1
    if (!(Number(headers['retry-after']) > 0)) counts.withoutRetryAfter += 1
  }
}

function countOther(status) {
  counts.other[status] = 1 + (counts.other[status] ?? 0)
}
