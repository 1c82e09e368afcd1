const maxWaitMs = 2_500
const maxRecoveryMs = 5_000
/** In which a 503 counts as a part of a second. */
const slotMs = 100

/** The observations of the clients during an event, and the promises that it broke. */
export function judgeEvent(event, until, journal, { lostWrites, lostForms, storedTwice }) {
  const during = ({ at }) => at >= event.from && at < until
  // A sample counts by its end: a request that began just before an event may meet it.
  const samples = journal.samples.filter(({ at, waitMs }) => during({ at: at + waitMs }))
  const cutOff = samples.filter((sample) => isCutOff(sample, event))
  const unavailable = samples.filter(({ outcome }) => outcome === 'unavailable')
  const late = unavailable.filter(({ at }) => at > event.mendedAt + maxRecoveryMs)
  const wrong = [
    ...samples.filter((sample) => sample.outcome === 'wrong' && !isCutOff(sample, event)),
    ...(event.database ? late : unavailable).map((sample) => ({
      ...sample,
      detail: `${sample.client} is unavailable ${Math.round(sample.at - event.mendedAt)} ms after the cause was over`,
    })),
    ...event.stuck.map((client) => ({ client, detail: 'does not succeed any more' })),
  ]
  const longestMs = Math.max(0, ...samples.map(({ waitMs }) => waitMs))
  const forms = journal.forms.filter(during)
  const twice = storedTwice.filter(during)
  return {
    name: event.name,
    requests: samples.length,
    writes: journal.writes.filter(during).length,
    lostWrites: lostWrites.filter(during),
    wrong: [...wrong, ...twice.map(({ title }) => ({ detail: `${title} was stored twice` }))],
    cutOff,
    forms: forms.length,
    lostForms: lostForms.filter(during),
    longestMs,
    slow: samples.filter(({ waitMs }) => waitMs > maxWaitMs),
    unavailableSeconds: (slotsOf(unavailable).size * slotMs) / 1000,
  }
}

/** No one can answer a request for a process that was killed while it had it. */
function isCutOff({ at, waitMs, status, outcome }, { killedAt }) {
  if (killedAt === undefined || outcome !== 'wrong') return false
  return (status === 502 || status === 0) && at <= killedAt && at + waitMs >= killedAt
}

function slotsOf(samples) {
  return new Set(samples.map(({ at, waitMs }) => Math.floor((at + waitMs) / slotMs)))
}
