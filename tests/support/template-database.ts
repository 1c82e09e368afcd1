import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Connection } from 'plinth/db/client'
import { openEmbedded } from 'plinth/db/embedded/embedded'
import { migrate } from 'plinth/db/migrate/migrate'
import { openPostgres } from 'plinth/db/postgres/postgres'
import type { TestProject } from 'vitest/node'
import { modules } from '@/modules'
import { testDatabases } from '../../packages/plinth/scripts/testing/test-database.mjs'
import { administer, databaseUrl } from './postgres-server'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with an `empty` and a `migrated` database, or the name of a migrated database. */
    template: string
  }
}

/** Migrates once. Each test file gets a copy, which is much faster. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { template, remove } = await (project.name === 'postgres' ? onPostgres() : embedded())
  project.provide('template', template)
  return remove
}

type Template = { template: string; remove(): Promise<void> }

async function onPostgres(): Promise<Template> {
  const template = `plinth_template_${process.pid}`
  await administer(`create database ${template}`)
  await migrateAndClose(await openPostgres({ url: databaseUrl(template), poolSize: 1 }))
  return {
    template,
    remove: () => administer(`drop database if exists ${template} with (force)`),
  }
}

async function embedded(): Promise<Template> {
  const template = testDatabases()
  if (!existsSync(template)) await createEmbeddedTemplate(template)
  return { template, remove: async () => {} }
}

async function createEmbeddedTemplate(template: string): Promise<void> {
  const cache = dirname(template)
  rmSync(cache, { recursive: true, force: true })
  const folder = mkdtempSync(join(tmpdir(), 'plinth-template-'))
  await (await openEmbedded(join(folder, 'empty'))).close()
  cpSync(join(folder, 'empty'), join(folder, 'migrated'), { recursive: true })
  await migrateAndClose(await openEmbedded(join(folder, 'migrated')))
  const copy = `${template}.${process.pid}`
  mkdirSync(cache, { recursive: true })
  cpSync(folder, copy, { recursive: true })
  // An interrupted copy must not be used, and another run may have been faster.
  if (!existsSync(template)) renameSync(copy, template)
  for (const path of [copy, folder]) rmSync(path, { recursive: true, force: true })
}

async function migrateAndClose(connection: Connection): Promise<void> {
  await migrate(connection, modules)
  await connection.close()
}
