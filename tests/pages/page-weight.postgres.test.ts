import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { hashToken } from 'plinth/auth/sessions/cookie'
import type { Database } from 'plinth/db/client'
import { accountChanges } from 'plinth/db/schema'
import { createCaller } from 'plinth/testing'
import {
  gzipSize,
  type PageBudget,
  polyfills,
  readStatic,
  referredFiles,
  requireWithinBudget,
  rootScripts,
  runningServer,
  staticFiles,
} from 'plinth/testing/server'
import { beforeAll, expect, test } from 'vitest'

const kilobyte = 1024
const maxScripts = 8 * kilobyte
const maxPartOnDemand = 40 * kilobyte
const maxFonts = 60 * kilobyte

/**
 * An empty page of a plain Next 16.4.6 app (`/empty` of bench/peers/bare-next) loads the build's
 * `rootMainFiles` and this much for Next's own layout components.
 */
const layoutComponents = 3541

const recoveryToken = 'r'.repeat(43)

/** Stores a change of another user. */
async function createChange(database: Database) {
  const now = new Date()
  await database.insert(accountChanges).values({
    userId: randomUUID(),
    at: now,
    email: 'earlier@organization.example.com',
    newEmail: 'later@organization.example.com',
    added: [],
    removed: [],
    by: 'user',
    confirmed: false,
    link: 'open',
    tokenHash: hashToken(recoveryToken),
    deliveredAt: now,
    endsAt: new Date(now.getTime() + 1e8),
  })
}

const budgets: PageBudget[] = [
  { path: '/sign-in', maxKilobytes: 15 },
  { path: '/home', maxKilobytes: 25 },
  { path: `/recover?token=${recoveryToken}`, maxKilobytes: 25, prepare: createChange },
  { path: '/recover/done', maxKilobytes: 25 },
  ...(await Promise.all(moduleBudgetFiles().map((file) => import(file)))).flatMap(
    ({ budgets }: { budgets: PageBudget[] }) => budgets,
  ),
]

function moduleBudgetFiles(): string[] {
  return readdirSync('src/app')
    .map((folder) => resolve('src/app', folder, 'tests/page-budgets.ts'))
    .filter((file) => existsSync(file))
}

const app = runningServer({
  AUTH_GITHUB_ID: 'id',
  AUTH_GITHUB_SECRET: 'secret',
  AUTH_GOOGLE_ID: 'id',
  AUTH_GOOGLE_SECRET: 'secret',
})
let token: string

beforeAll(async () => {
  const admin = await createCaller(app.database, 'admin')
  token = admin.token
  for (const { prepare } of budgets) await prepare?.(app.database, admin.id)
})

/** As an admin, who sees most; the sign-in page as an anonymous caller. */
async function htmlOf(path: string): Promise<string> {
  const headers = path === '/sign-in' ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(app.url + path, { headers })
  expect(response.status).toBe(200)
  return response.text()
}

test.each(budgets)('$path is at most $maxKilobytes KB of HTML', async ({ path, maxKilobytes }) => {
  requireWithinBudget(path, await htmlOf(path), maxKilobytes)
})

test.each(budgets)('$path loads little more JavaScript than an empty page', async ({ path }) => {
  const scripts = referredFiles(await htmlOf(path), /<script\b[^>]*>/g)
  const loaded = scripts.filter((file) => !polyfills().includes(file))
  expect(loaded).toEqual(expect.arrayContaining(rootScripts()))
  const own = sizes(loaded.filter((file) => !rootScripts().includes(file)))
  expect(total(own) - layoutComponents, JSON.stringify(own)).toBeLessThanOrEqual(maxScripts)
})

test('every part that is loaded on demand is small', () => {
  const shared = [...rootScripts(), ...polyfills()]
  const parts = staticFiles('.js').filter((file) => !shared.includes(file))
  const large = sizes(parts).filter(([, size]) => size > maxPartOnDemand)
  expect(parts.length).toBeGreaterThan(5)
  expect(large).toEqual([])
})

test.each(budgets)('$path loads small fonts and preloads no monospace one', async ({ path }) => {
  const html = await htmlOf(path)
  const styles = referredFiles(html, /<link\b[^>]*rel="stylesheet"[^>]*>/g)
  const faces = styles.flatMap((file) => fontFaces(readStatic(file).toString()))
  const fonts = [...new Set(faces.map(({ file }) => file))]
  expect(fonts.length).toBeGreaterThan(0)
  const loaded = fonts.map((file): [string, number] => [file, readStatic(file).length])
  expect(total(loaded), JSON.stringify(loaded)).toBeLessThanOrEqual(maxFonts)
  const preloaded = referredFiles(html, /<link\b[^>]*as="font"[^>]*>/g)
  const monospace = faces.filter(({ family }) => /mono/i.test(family)).map(({ file }) => file)
  expect(preloaded.filter((file) => monospace.includes(file))).toEqual([])
})

/** The faces of a style sheet that are files. */
function fontFaces(css: string): { family: string; file: string }[] {
  return [...css.matchAll(/@font-face\s*{([^}]*)}/g)].flatMap(([, rules = '']) => {
    const family = /font-family:([^;]+)/.exec(rules)?.[1] ?? ''
    const file = /url\([^)]*?\/(media\/[^)"'?]+)/.exec(rules)?.[1]
    return file ? [{ family, file: `static/immutable/${file}` }] : []
  })
}

/** Compressed, largest first. */
function sizes(files: string[]): [string, number][] {
  return files
    .map((file): [string, number] => [file, gzipSize(file)])
    .toSorted(([, one], [, other]) => other - one)
}

function total(files: [string, number][]): number {
  return files.reduce((bytes, [, size]) => bytes + size, 0)
}
