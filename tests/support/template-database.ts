import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Connection } from '@/core/db/client'
import { openEmbedded } from '@/core/db/embedded/embedded'
import { migrate } from '@/core/db/migrate/migrate'
import { openPostgres } from '@/core/db/postgres/postgres'
import { modules } from '@/modules'
import { administer, databaseUrl } from './postgres-server'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with an `empty` and a `migrated` database, or the name of a migrated database. */
    template: string
  }
}

/** Migrates once. Each test file gets a copy, which is much faster. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { template, open, remove } =
    project.name === 'postgres' ? postgresTemplate() : embeddedTemplate()
  const connection = await open()
  await migrate(connection, modules)
  await connection.close()
  project.provide('template', template)
  return remove
}

type Template = { template: string; open(): Promise<Connection>; remove(): Promise<void> }

function embeddedTemplate(): Template {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-template-'))
  return {
    template: folder,
    async open() {
      await (await openEmbedded(join(folder, 'empty'))).close()
      cpSync(join(folder, 'empty'), join(folder, 'migrated'), { recursive: true })
      return openEmbedded(join(folder, 'migrated'))
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

function postgresTemplate(): Template {
  const template = `plinth_template_${process.pid}`
  return {
    template,
    async open() {
      await administer(`create database ${template}`)
      return openPostgres({ url: databaseUrl(template), poolSize: 1 })
    },
    remove: () => administer(`drop database if exists ${template} with (force)`),
  }
}
