import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isSecretName } from '@/core/ui/typed-text'
import { sourcesOf } from '../../scripts/check/imports.mjs'

/** The names of the password fields that a source renders. A name that is no text is undefined. */
function passwordFields(source: string): (string | undefined)[] {
  const elements = source.match(/<(PasswordField|\w+[^<>]*?\btype="password")[\s\S]*?\/>/g) ?? []
  return elements.map((element) => /\bname="([^"]+)"/.exec(element)?.[1])
}

test('every password field has a name by which its text is recognized as secret', async () => {
  const sources = (await sourcesOf('.')).filter((path) => path.endsWith('.tsx'))
  const names = sources.flatMap((path) => passwordFields(readFileSync(path, 'utf8')))
  expect(names.length).toBeGreaterThan(3)
  expect(names.filter((name) => name === undefined || !isSecretName(name))).toEqual([])
})

test('a password field with another name, or a computed one, is found', () => {
  expect(passwordFields('<PasswordField label="Word" name="word" />')).toEqual(['word'])
  expect(passwordFields('<input type="password" name="word" />')).toEqual(['word'])
  expect(passwordFields('<PasswordField {...field} />')).toEqual([undefined])
})
