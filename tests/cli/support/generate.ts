import { appendFileSync, readdirSync, symlinkSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { createApp } from './app'
import { sharePackages } from './link-packages'
import { git, type Outcome, run } from './run'
import { copyTemplate, temporaryFolder } from './template'

export function createGenerateApp(modules: string) {
  const { app, plinth } = createApp(modules)
  // The generator formats with the Biome of node_modules.
  sharePackages(app)
  return { folder: app, plinth }
}

/** A clone of the template, where `npx plinth` runs the template's own CLI. */
export function cloneTemplate() {
  const folder = copyTemplate(temporaryFolder())
  git(folder, 'init', '--quiet')
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  appendFileSync(join(folder, '.git/info/exclude'), 'node_modules\n')
  const plinth = (...args: string[]): Outcome =>
    run(process.execPath, [join(folder, 'scripts/start.mjs'), ...args], folder)
  return { folder, plinth }
}

/** Also the empty ones, which git and a snapshot do not show. */
export function foldersIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .filter((path) => !/^(\.git|node_modules)(\/|$)/.test(path))
    .sort()
}

export const bookmarks = [
  'generate',
  'module',
  'bookmarks',
  'title:string',
  'url:url',
  'notes:text?',
  'done:boolean',
  'due:date',
]

/** A part of each kind, for the module bookmarks. */
export const parts = [
  ['page', 'bookmarks', '/bookmarks/archive'],
  ['page', 'bookmarks', '/bookmarks/[id]/history', '--admin'],
  ['page', 'bookmarks', '/about-bookmarks', '--public'],
  [
    'action',
    'bookmarks',
    'archive-bookmark',
    'reason:string',
    'kind:enum:old,done',
    'at:datetime?',
  ],
  ['route', 'bookmarks', 'get', '/bookmarks/count'],
  ['route', 'bookmarks', 'post', '/bookmarks/:id/copy'],
  ['route', 'bookmarks', 'delete', '/bookmarks/trash'],
  ['mail', 'bookmarks', 'bookmark-shared'],
  ['job', 'bookmarks', 'check-links'],
  ['job', 'bookmarks', 'archive-bookmarks', '--schedule', '0 3 * * *'],
  ['migration', 'bookmarks', 'add-tags'],
]

export const everyType = [
  'name:string',
  'description:text?',
  'points:integer',
  'price:decimal?',
  'done:boolean',
  'due:date?',
  'startsAt:datetime',
  'link:url?',
  'contact:email',
  'status:enum:open,closed',
  'assignee:user?',
]
