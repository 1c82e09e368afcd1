import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Manifest } from './render-chart'

/** `apps/v1` is in the file of that name, `v1` in `core/v1`, `policy/v1` in `policy/v1`. */
function typesFile(apiVersion: string): string {
  const name = apiVersion.includes('/')
    ? apiVersion.replace(/\.k8s\.io\//, '/')
    : `core/${apiVersion}`
  return resolve('node_modules/kubernetes-types', name)
}

/**
 * Compares manifests with the types of Kubernetes, which are made from its OpenAPI document. The
 * compiler reports unknown and missing fields and wrong types; the result is its errors.
 */
export function schemaErrors(manifests: Manifest[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-manifests-'))
  try {
    const sources = manifests.map(
      (
        manifest,
        index,
      ) => `import type { ${manifest.kind} as Kind${index} } from '${typesFile(manifest.apiVersion)}'
export const manifest${index}: Required<Pick<Kind${index}, 'apiVersion' | 'kind' | 'metadata' | 'spec'>> & Kind${index} = ${JSON.stringify(manifest, null, 1)}
`,
    )
    const file = join(folder, 'manifests.ts')
    writeFileSync(file, sources.join(''))
    const flags = ['--noEmit', '--strict', '--moduleResolution', 'bundler', '--skipLibCheck']
    const module = ['--module', 'esnext', '--lib', 'es5', '--types', '']
    execFileSync(
      process.execPath,
      [resolve('node_modules/typescript/bin/tsc'), ...flags, ...module, file],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    )
    return []
  } catch (error) {
    const { stdout } = error as { stdout?: string }
    if (!stdout) throw error
    return stdout.trim().split('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
