import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'
import { transform } from 'esbuild'
import configuration from '../../.dependency-cruiser.cjs'
import { print } from '../terminal.mjs'

/**
 * Checks the imports of `root`/src against the rules. dependency-cruiser needs the TypeScript
 * compiler API, which TypeScript 7 does not have; without it it reports nothing. So it checks a copy
 * compiled to JavaScript, with type imports as value imports, and `read` is the number of files.
 *
 * @param {string} root
 * @returns {Promise<{ read: number, violations: { rule: string, from: string, to: string }[] }>}
 */
export async function checkImports(root) {
  const copy = resolve('test-results/imports', root.replaceAll(/[^a-z]+/gi, '-') || 'tree')
  await rm(copy, { recursive: true, force: true })
  try {
    await copyAsJavaScript(root, copy)
    const { output } = await cruise(
      ['src'],
      { ...configuration.options, baseDir: copy, validate: true, ruleSet: configuration },
      { alias: { '@': join(copy, 'src') } },
    )
    return {
      read: output.modules.filter(({ source }) => source.startsWith('src/')).length,
      violations: output.summary.violations.map(({ rule, from, to }) => ({
        rule: rule.name,
        from: from.replace(/\.js$/, ''),
        to: to.replace(/\.js$/, ''),
      })),
    }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

export const rules = configuration.forbidden.map(({ name }) => name)

/** @param {string} root @returns {Promise<string[]>} */
export async function sourcesOf(root) {
  const files = await readdir(join(root, 'src'), { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
    .map((file) =>
      join(file.parentPath ?? file.path, file.name).slice(
        root === '.' ? 0 : join(root, '/').length,
      ),
    )
}

async function copyAsJavaScript(root, copy) {
  for (const path of await sourcesOf(root)) {
    const source = await readFile(join(root, path), 'utf8')
    const { code } = await transform(withValueImports(source), {
      loader: path.endsWith('x') ? 'tsx' : 'ts',
      jsx: 'automatic',
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    })
    const target = join(copy, path.replace(/\.tsx?$/, '.js'))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, code)
  }
}

/** Type imports are erased by the transform, so they become value imports first. */
function withValueImports(source) {
  return source.replace(/^(import|export) [^'"]*?from ['"][^'"]+['"]$/gm, (statement) =>
    statement.replace(/\btype (?=[\w{*])/g, ''),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { read, violations } = await checkImports('.')
  for (const { rule, from, to } of violations) print(`${rule}: ${from} imports ${to}`)
  const { length } = await sourcesOf('.')
  print(`${read} of ${length} files checked`)
  process.exitCode = violations.length === 0 && read === length ? 0 : 1
}
