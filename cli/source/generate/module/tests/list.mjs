/** Tests of search, sort order and pages. */
export function listTests({ many, one, searchable, sorts, title }, scoped) {
  const search = searchable[0]
  const found =
    search &&
    `test('finds ${many.text} that contain a text', async () => {
  const found = async (search: string) =>
    (await list${many.pascal}(${scoped('editor')}${many.camel}Query.parse({ search }))).${many.camel}.map((row) => row.id)
  const [one, other] = [await new${one.pascal}({ ${search.property}: ${JSON.stringify(search.samples[0])} }), await new${one.pascal}({ ${search.property}: ${JSON.stringify(search.samples[1])} })]
  expect((await found('')).sort()).toEqual([one, other].sort())
  expect(await found(${JSON.stringify(search.samples[1].slice(-6).toUpperCase())})).toContain(other)
  expect(await found('%')).toEqual([])
})

`
  const sorted =
    sorts.length > 2 ? `  expect(await ids('${title.property}')).toEqual([first, second])\n` : ''
  return `${found ?? ''}test('sorts the list', async () => {
  const ids = async (sort: string) =>
    (await list${many.pascal}(${scoped('editor')}${many.camel}Query.parse({ sort }))).${many.camel}.map((row) => row.id)
  const first = await new${one.pascal}({ ${title.property}: ${JSON.stringify(title.samples[0])} })
  const second = await new${one.pascal}({ ${title.property}: ${JSON.stringify(title.samples[1])} })
  const dates = [new Date('2030-01-01'), new Date('2030-01-02')]
  for (const [index, id] of [first, second].entries()) {
    await db.database
      .update(${many.camel})
      .set({ createdAt: dates[index] ?? new Date() })
      .where(eq(${many.camel}.id, id))
  }
  expect(await ids('oldest')).toEqual([first, second])
  expect(await ids('newest')).toEqual([second, first])
${sorted}})

test('pages forward and back without gaps or repetitions', async () => {
  for (let count = 0; count < 5; count += 1) await new${one.pascal}()
  // One time for all, so that only the id orders them.
  await db.database.update(${many.camel}).set({ createdAt: new Date('2030-01-01') })
  const read = (cursor?: string) =>
    list${many.pascal}(${scoped('editor')}${many.camel}Query.parse({ limit: 2, cursor }))
  const pages = [await read()]
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push(await read(next))
  const ids = pages.flatMap(({ ${many.camel} }) => ${many.camel}.map(({ id }) => id))
  expect([pages.length, new Set(ids).size]).toEqual([3, 5])
  const back = await read(pages[2]?.previous)
  expect(back.${many.camel}).toEqual(pages[1]?.${many.camel})
  expect((await read(back.previous)).${many.camel}).toEqual(pages[0]?.${many.camel})
})

`
}
