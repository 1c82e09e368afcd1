import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInShell } from './apply-steps'
import type { Applied } from './recipes'

const module = 'src/app/(posts)'

/** Writes the module of packages/plinth/docs/modules.md. The first line of each example is a comment with its path. */
export function writeModuleExamples(copy: string): Applied {
  const document = readFileSync('packages/plinth/docs/modules.md', 'utf8')
  const files = [...document.matchAll(/^```(?:tsx?|sql)\n(?:\/\/|--) (\S+)\n([\s\S]*?)^```$/gm)]
  const [, manifest = ''] = /^```json\n([\s\S]*?)^```$/m.exec(document) ?? []
  const examples = files.map(([, path = '', text = '']) => ({ path, text }))
  for (const { path, text } of [...examples, { path: 'package.json', text: manifest }]) {
    mkdirSync(dirname(join(copy, module, path)), { recursive: true })
    writeFileSync(join(copy, module, path), text)
  }
  runInShell('npm run modules', copy)
  return {
    changed: examples.map(({ path }) => join(module, path)),
    tests: [join(module, 'tests/posts.db.test.ts')],
  }
}
