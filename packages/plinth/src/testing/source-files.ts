import { readdirSync } from 'node:fs'

/** The TypeScript files of the app, by their paths, such as `src/app/home/page.tsx`. */
export function sourceFiles(): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .sort()
}
