import { isValidElement, Suspense } from 'react'
import { expect, test } from 'vitest'
import { Panel } from '@/core/ui/panel'

const given = { label: 'Being fetched', children: (value: string) => value.toUpperCase() }

test('what is quick is part of the page', async () => {
  expect(await Panel({ ...given, value: Promise.resolve('here') })).toBe('HERE')
})

test('what is slow is streamed', async () => {
  const never = new Promise<string>(() => {})
  const shown = await Panel({ ...given, value: never, patience: 5 })
  expect(isValidElement(shown) && shown.type).toBe(Suspense)
})

test('what fails soon fails with the page', async () => {
  const failed = Promise.reject(new Error('away'))
  await expect(Panel({ ...given, value: failed })).rejects.toThrow('away')
})
