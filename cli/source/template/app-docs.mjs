import { dirname, join, relative } from 'node:path/posix'

const recipes = /^docs\/recipes\//

/** In an app all recipes are one file. */
const recipesFile = 'docs/recipes.md'

/**
 * The documents of an app: recipes in one file, and no links to documents that stay with the
 * template, such as decision records.
 *
 * @param {Map<string, string>} documents all documents of the template, by path
 * @param {(path: string) => boolean} exists whether the app has a file or a folder
 */
export function appDocs(documents, exists) {
  const texts = new Map([...documents].filter(([path]) => !recipes.test(path)))
  if ([...documents.keys()].some((path) => recipes.test(path))) {
    texts.set(recipesFile, allRecipes(documents))
  }
  const has = (path) => texts.has(path) || exists(path)
  return new Map([...texts].map(([path, text]) => [path, withoutDeadLinks(path, text, has)]))
}

function allRecipes(documents) {
  const paths = [...documents.keys()].filter((path) => recipes.test(path)).sort()
  const [overview, ...rest] = [...paths].sort((path) => (path.endsWith('README.md') ? -1 : 1))
  return [overview, ...rest].map((path) => movedUp(path, documents)).join('\n')
}

/** Links as from docs/, and headings one level below those of the overview. */
function movedUp(path, documents) {
  const linked = replaceLinks(documents.get(path), (label, target) => {
    const [file, anchor = ''] = target.split('#')
    const found = join(dirname(path), file)
    const title = recipes.test(found) && /^# (.+)$/m.exec(documents.get(found) ?? '')?.[1]
    if (title) return `[${label}](#${slug(title)})`
    return `[${label}](${relative('docs', found)}${anchor && `#${anchor}`})`
  })
  return path.endsWith('README.md') ? linked : lowerHeadings(linked)
}

function lowerHeadings(text) {
  let inCode = false
  return text.replaceAll(/^(```|#+ )/gm, (start) => {
    if (start === '```') inCode = !inCode
    return start === '```' || inCode ? start : `#${start}`
  })
}

function withoutDeadLinks(path, text, has) {
  const toRecipes = (target) => join(dirname(path), target.split('#')[0])
  const redirected = replaceLinks(text, (label, target) => {
    if (!/^docs\/recipes(\/|$)/.test(toRecipes(target))) return `[${label}](${target})`
    return `[${label}](${relative(dirname(path), recipesFile)})`
  })
  const isDead = (target) => !has(join(dirname(path), target.split('#')[0]))
  const withoutDecisions = redirected.replaceAll(
    /(?<before>,? ?\n? *)\((?<list>[^()]*?)\[decision \d+\]\((?<target>[^)]+)\)\)/g,
    (found, before, list, target) => {
      if (!isDead(target)) return found
      return list.trim() ? `${before}(${list.trim().replace(/,$/, '')})` : ''
    },
  )
  return replaceLinks(withoutDecisions, (label, target) => {
    if (!isDead(target)) return `[${label}](${target})`
    return /^decision \d+$/i.test(label) ? `${label} of the template` : label
  })
}

/** Relative links only. */
function replaceLinks(text, replace) {
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (found, label, target) =>
    /^(https?:|mailto:|#|\/)/.test(target) ? found : replace(label, target),
  )
}

/** As GitHub makes anchors of headings. */
function slug(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-')
}
