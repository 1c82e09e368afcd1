import { describe, expect, test } from 'vitest'
import { passwordLength } from '#auth/accounts/fields'
import { passwordError } from '#auth/passwords/new-password'
import { configure } from '#config/app-config'
import { demoPassword } from '#universal/users'
import { estimateStrength } from '@/ui/forms/password-strength'

const email = 'anna.longname@example.com'

const errorFor = (password: string, name?: string) => passwordError(password, { email, name })

/** The hint below the field never praises a password that the server rejects. */
function expectWeak(password: string, name?: string) {
  expect(estimateStrength(password, { ...passwordLength(), email, name }).level).toBe('weak')
}

test.each(['anna.longname@example.com', 'Anna.LongName@Example.com', 'ANNA.LONGNAME'])(
  'cannot be the email: %s',
  async (password) => {
    expect(await errorFor(password)).toMatch(/cannot be your email/)
    expectWeak(password)
  },
)

test.each([
  demoPassword,
  'Plinth-Demo-1',
  'ｐｌｉｎｔｈ-demo-1',
  'plinth-demo-1!',
  'plinth-demo-12026',
  'plinth-demo-2',
  'plinth-demo',
])('cannot be the published demo password: %s', async (password) => {
  expect(await errorFor(password)).toMatch(/published with the demo accounts/)
  expectWeak(password)
})

test.each([
  'qwertyuiop',
  'QwertyUiop',
  'ｑｗｅｒｔｙｕｉｏｐ',
  'poiuytrewq',
  'qwertyuiop2024',
  'qwerty-asdfgh!',
  'qwertyqwerty',
  'qqwweerrttyy',
  'asdfghjkl12',
  'asdfghjkl;',
  'lkjhgfdsa!',
  'zxcvbnm,./',
  'zxcvbnmasdf',
  'qweasdzxc123',
  '1qaz2wsx3edc',
  'zaq1xsw2cde3',
  '1qaz!QAZ1qaz',
  'zse4xdr5cft6',
  '1q2w3e4r5t',
  'q1w2e3r4t5y6',
  'qawsedrftg',
  '9876543210',
  'qwertzuiop',
  'yxcvbnmasdfg',
  'azertyuiop',
  'qsdfghjklm99',
  '1aqw2zsx3edc',
])('cannot be rows of a keyboard: %s', async (password) => {
  expect(await errorFor(password)).toMatch(/too easy to guess: its keys are side by side/)
  expectWeak(password)
})

test.each([
  'password123',
  'Password1!',
  'football2024',
  'aaaaaaaaaaaa',
  '1212121212',
  'abcabcabcabc',
  'abcdefghijkl',
  'lkjihgfedcba',
  '12345678910',
])('cannot be a common password or a pattern: %s', async (password) => {
  expect(await errorFor(password)).toMatch(/too easy to guess/)
})

describe('of a user with a name', () => {
  test.each([
    ['Ada Lovelace', 'AdaLovelace'],
    ['Ada Lovelace', 'ada.lovelace!'],
    ['Ada Lovelace', 'Lovelace, Ada'],
    ['Ada Lovelace', 'lovelace1815'],
    ['Ada Lovelace', '1815-Lovelace'],
    ['Ada Lovelace', 'LovelaceLovelace'],
    ['Ada Lovelace', 'my-lovelace'],
    ['Maria Jane Smith', 'maria+smith'],
    ['Jörg Müller-Straß', 'jorg.muller.99'],
    ['Anna', 'anna19841231'],
    ['Ann', 'Ann1984-10-23'],
    ['李明', '李明1984102399'],
  ])('%s cannot choose %s', async (name, password) => {
    expect(await errorFor(password, name)).toMatch(/mostly your name/)
    expectWeak(password, name)
  })

  test.each([
    ['Ann', 'annual report of bees'],
    ['Ann', 'banner waving'],
    ['Ann Lee', 'lee is not ann'],
    ['Ada Lovelace', 'lovelace likes purple'],
    ['Rose Field', 'rose garden path'],
    ['A', 'a7#92!5038$4'],
    ['Will', 'goodwill hunting'],
    ['李明', '李明喜欢在雨天散步看书'],
    ['🙂', '🙂 4 8 15 16 23 42'],
  ])('%s can choose %s', async (name, password) => {
    expect(await errorFor(password, name)).toBeUndefined()
  })
})

test.each([
  'correct horse battery',
  'plinth-demo-one',
  'a plinth-demo-1 for me',
  'anna.longname@',
  'ßß-zz-93-kk',
  '李李李李李李李李李x',
  'qwerty horse battery',
  'we were there',
  'red dress was sad',
  'poop tree were we',
  'kjh78-asd-9fgh-x',
])('can be %s', async (password) => {
  expect(await errorFor(password, 'Ann Lee')).toBeUndefined()
})

test('cannot be mostly a word that the app refuses', async () => {
  configure({ name: 'Test', passwords: { refusedWords: ['Acme Rockets'] } })
  expect(await errorFor('acme-rockets-1984')).toMatch(/a word that everyone here knows/)
  expect(await errorFor('seven quiet rockets over acme')).toBeUndefined()
  configure({ name: 'Test' })
  expect(await errorFor('acme-rockets-1984')).toBeUndefined()
})
