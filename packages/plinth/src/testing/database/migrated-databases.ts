import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Connection } from '#db/client'
import { openEmbedded } from '#db/embedded/embedded'
import { migrate } from '#db/migrate/migrate'
import { modulesWithMigrations } from '#db/migrate/plan'
import { openPostgres } from '#db/postgres/postgres'
import { administer, databaseUrl } from '#testing/database/postgres-server'
import { testDatabases } from '#testing/database/test-databases'

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
  await migrate(connection, modulesWithMigrations())
  await connection.close()
}
