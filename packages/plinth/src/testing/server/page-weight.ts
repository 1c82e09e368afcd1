import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import type { Database } from '#db/client'
import { auditEvents, sessions, users } from '#db/schema'

/** A module lists its own in `tests/page-budgets.ts`. */
export type PageBudget = {
  path: string
  maxKilobytes: number
  /** Creates what the page shows to `userId`, who is an admin. */
  prepare?: (database: Database, userId: string) => Promise<void>
}

const givenNames = ['Li', 'Ana', 'Fatima', 'Søren', 'Bartholomew', 'Anneliese', 'Wei', 'Mohammed']
const familyNames = ['Ng', 'García', 'Kowalski', 'Papadopoulos', 'O’Neill', 'Müller', 'Nakamura']

const userAgents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
]

const pick = <Value>(list: readonly Value[], index: number) => list[index % list.length] as Value

export async function createUsers(database: Database, count: number): Promise<string[]> {
  const created = await database
    .insert(users)
    .values(
      Array.from({ length: count }, (_, index) => {
        const name = `${pick(givenNames, index)} ${pick(familyNames, index * 3)}`
        const mailbox = name
          .normalize('NFD')
          .replace(/[^a-z]+/gi, '.')
          .toLowerCase()
        return {
          name,
          email: `${mailbox}.${index}@department-${index % 7}.organization.example.com`,
          role: pick(['viewer', 'viewer', 'viewer', 'editor', 'admin'] as const, index),
          emailVerifiedAt: index % 9 === 0 ? null : new Date(),
          createdAt: sql`now() - ${index} * interval '5 hours'`,
        }
      }),
    )
    .returning({ id: users.id })
  return created.map(({ id }) => id)
}

export async function createSessions(database: Database, userId: string, count: number) {
  await database.insert(sessions).values(
    Array.from({ length: count }, (_, index) => ({
      tokenHash: randomBytes(32),
      userId,
      ip: index % 2 ? `203.0.113.${index}` : `2001:db8:85a3::8a2e:370:${7000 + index}`,
      userAgent: pick(userAgents, index),
      lastSeenAt: sql`now() - ${index} * interval '7 hours'`,
      expiresAt: sql`now() + interval '20 days'`,
    })),
  )
}

const events = [
  { action: 'sign_in', outcome: 'success', details: { by: 'password' } },
  { action: 'sign_in', outcome: 'failure', details: {} },
  { action: 'update_user_role', outcome: 'success', details: { from: 'viewer', to: 'editor' } },
  { action: 'view_users', outcome: 'denied', details: {} },
  {
    action: 'revoke_session',
    outcome: 'success',
    details: { reason: 'too_many_sessions', count: 2 },
  },
  { action: 'link_account', outcome: 'success', details: { provider: 'github' } },
  { action: 'publish_article', outcome: 'success', details: {} },
] as const

/** Creates events of many kinds, by and about these users, in the last days. */
export async function createAuditEvents(database: Database, userIds: string[], count: number) {
  await database.insert(auditEvents).values(
    Array.from({ length: count }, (_, index) => ({
      ...pick(events, index),
      actorId: pick(userIds, index),
      targetId: pick(userIds, index * 5),
      ip: `198.51.100.${index % 250}`,
      requestId: `82b2316717c1e4f7ba-${index}`,
      at: sql`now() - ${index} * interval '40 minutes'`,
    })),
  )
}

/** Sizes in bytes of what a page consists of. Parts overlap: a table row contains its classes. */
export type PageWeight = {
  total: number
  markup: number
  /** The elements by kind, with their contents, heaviest first. */
  elements: Part[]
  attributes: Part[]
  /** The data that React needs to take over the page. */
  payload: number
  payloadClasses: Part
  /** Its rows by kind of element, heaviest first. */
  rows: Part[]
  /** Other inline scripts. */
  scripts: number
}

type Part = { name: string; count: number; bytes: number }

const tag = /<(\/?)([a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|<!--.*?-->/gis
const empty = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/

export function weighHtml(html: string): PageWeight {
  // One character for each byte, so that positions are sizes.
  const text = Buffer.from(html).toString('latin1')
  const scripts: string[] = []
  const markup = text.replace(/(<script\b[^>]*>)(.*?)<\/script>/gis, (_, open, content) => {
    scripts.push(content)
    return `${open}</script>`
  })
  const isPayload = (script: string) => script.includes('__next_f')
  const payload = scripts.filter(isPayload)
  return {
    total: text.length,
    markup: markup.length,
    elements: heaviest(weighElements(markup)),
    attributes: heaviest(weighAttributes(markup)),
    payload: lengthOf(payload),
    payloadClasses: sum('class names', payload.join('').match(/\\"className\\":\\".*?\\"/g) ?? []),
    rows: heaviest(payloadRows(payload)),
    scripts: lengthOf(scripts.filter((script) => !isPayload(script))),
  }
}

/** An element inside another one of its kind counts as a part of that one. */
function weighElements(markup: string): Part[] {
  const parts = new Map<string, Part>()
  const open: { name: string; start: number }[] = []
  const add = (name: string, bytes: number) => {
    const part = parts.get(name) ?? { name, count: 0, bytes: 0 }
    parts.set(name, part)
    part.count += 1
    if (!open.some((outer) => outer.name === name)) part.bytes += bytes
  }
  for (const { 0: source, 1: closing, 2: kind, 3: rest, index } of markup.matchAll(tag)) {
    if (kind === undefined) continue
    const name = kind.toLowerCase()
    if (closing) {
      const position = open.findLastIndex((element) => element.name === name)
      const [element] = position < 0 ? [] : open.splice(position)
      if (element) add(name, index + source.length - element.start)
    } else if (empty.test(name) || rest?.endsWith('/')) {
      add(/type="hidden"/.test(rest ?? '') ? 'hidden input' : name, source.length)
    } else open.push({ name, start: index })
  }
  return [...parts.values()].filter(({ name }) => name !== 'html' && name !== 'body')
}

function weighAttributes(markup: string): Part[] {
  const found = new Map<string, string[]>()
  for (const [, , , rest = ''] of markup.matchAll(tag)) {
    for (const [attribute, name = ''] of rest.matchAll(/\s([\w:-]+)(?:="[^"]*")?/g)) {
      found.set(name, [...(found.get(name) ?? []), attribute])
    }
  }
  return [...found].map(([name, texts]) => sum(name, texts))
}

/** The payload is a sequence of rows, each with an id, cut into scripts at any place. */
function payloadRows(scripts: string[]): Part[] {
  const chunks = scripts.map((script) => /\.push\(\[1,(".*")\]\)/s.exec(script)?.[1] ?? '""')
  const payload = chunks.map((chunk): string => JSON.parse(chunk)).join('')
  const rows = new Map<string, string[]>()
  for (const row of payload.split('\n')) {
    const element = /^[\da-f]+:\[+"\$","([\w-]+)"/.exec(row)?.[1]
    const name = element ?? utf8(row.slice(0, 60))
    rows.set(name, [...(rows.get(name) ?? []), row])
  }
  return [...rows].map(([name, texts]) => sum(name, texts))
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString()
}

function sum(name: string, texts: readonly string[]): Part {
  return { name, count: texts.length, bytes: lengthOf(texts) }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((bytes, { length }) => bytes + length, 0)
}

function heaviest(parts: Part[]): Part[] {
  return parts.toSorted((one, other) => other.bytes - one.bytes)
}

/** Throws with a list of what weighs most. */
export function requireWithinBudget(path: string, html: string, maxKilobytes: number): void {
  const weight = weighHtml(html)
  if (weight.total <= maxKilobytes * 1024) return
  const heading = `${path} is ${kilobytes(weight.total)} of HTML. Its budget is ${maxKilobytes} KB.`
  throw new Error([heading, ...reportOf(weight)].join('\n'))
}

/** The parts that weigh most, a line for each part. */
export function reportOf(weight: PageWeight): string[] {
  const { payloadClasses, rows, elements, attributes } = weight
  return [
    `  markup: ${kilobytes(weight.markup)}`,
    ...elements.slice(0, 12).map(line),
    '  of which attributes:',
    ...attributes.slice(0, 6).map(line),
    `  inline React payload: ${kilobytes(weight.payload)}`,
    line(payloadClasses),
    ...rows.slice(0, 6).map(line),
    `  other inline scripts: ${kilobytes(weight.scripts)}`,
  ]
}

function line({ name, count, bytes }: Part): string {
  return `    ${kilobytes(bytes).padStart(8)}  ${name}${count > 1 ? ` × ${count}` : ''}`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`
}

const folder = '.next'

/** Paths of files, as in the build's manifests: `static/immutable/chunks/….js`. */
export function staticFiles(suffix: string): string[] {
  return readdirSync(join(folder, 'static'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(suffix))
    .map((name) => `static/${name}`)
}

export function readStatic(path: string): Buffer {
  return readFileSync(path.startsWith('static/') ? join(folder, path) : join('public', path))
}

export function gzipSize(path: string): number {
  return gzipSync(readStatic(path), { level: 9 }).length
}

/** The files that a page refers to in attributes of these elements. */
export function referredFiles(html: string, element: RegExp): string[] {
  const sources = [...html.matchAll(element)].map(([source]) => source)
  const files = sources.map((source) => /(?:src|href)="\/(?:_next\/)?([^"?]+)/.exec(source)?.[1])
  return [...new Set(files.filter((file) => file !== undefined))]
}

/** The scripts that every page of a Next app loads: React, Next's router and the loader of chunks. */
export function rootScripts(): string[] {
  return JSON.parse(readFileSync(join(folder, 'build-manifest.json'), 'utf8')).rootMainFiles
}

/** Only browsers without modules load these. */
export function polyfills(): string[] {
  return JSON.parse(readFileSync(join(folder, 'build-manifest.json'), 'utf8')).polyfillFiles
}
