import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseMigration } from '#db/migrate/plan'

/** Applications have applied them. Add a new migration instead of changing one. */
test.each([
  ['0001_initial', 'd02ff4f7a934b90444cfd0266bf6fffd0b7bd4fd63821689d6ea08fea9aa754c'],
  ['0002_module_mail', '744de53fd147907ae2fb9044a7119a1b0a6596a887d35849435d48e114cf0f65'],
  ['0003_recent_sign_in', '4f875bd7c04ff9ff5b8c2984f4f23d3fd6f3dce1e394c3f881bde71268c2eaa8'],
  ['0004_start_session', '6fb666e3b9f843d52a95c71f5c6e2de80546c37cdffcb9ed759743e252ecb41e'],
  ['0005_preferences', 'a60eab082f12e99c851f3df384074897118fecaecf1f55faa831bf78bdeb304b'],
  ['0006_invitation_role', '52f043ae593642b59485b69557fddeb835e197a253cf28976d147a5013618530'],
])('%s is frozen', (name, hash) => {
  const text = readFileSync(`packages/plinth/migrations/${name}.sql`, 'utf8')
  expect(parseMigration(text).hash).toBe(hash)
})

test('the directives at the start are not part of the statements or the hash', () => {
  const statements = '-- A reason.\nselect 1;\n'
  const before = parseMigration(statements)
  expect(before).toMatchObject({ rolling: 'unsafe', transaction: 'one', statements })
  expect(parseMigration(`-- rolling: safe\r\n-- transaction: none\r\n${statements}`)).toEqual({
    ...before,
    rolling: 'safe',
    transaction: 'none',
  })
})

test('a directive after the first statement is a comment', () => {
  const text = 'select 1;\n-- rolling: safe\n'
  expect(parseMigration(text)).toMatchObject({ rolling: 'unsafe', statements: text })
})
