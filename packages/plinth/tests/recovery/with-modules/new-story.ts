import { newWorld } from '../sequences'
import type { Owned, World } from '../world'
import { perform } from './perform'
import type { Order } from './sample'
import type { Site } from './site'
import { accountAt, emailOf, findToken, type Story, signIn, storeSecret } from './story'
import { newVisitor } from './visitor'

/** The account over HTTP as the order begins: with the owner's methods and what the thief has. */
export async function newStory(site: Site, order: Order, name: string): Promise<Story> {
  const { account, thief, withHolder } = order
  const world = newWorld(account, thief, { withHolder })
  const visitors = {
    owner: newVisitor(site),
    thief: newVisitor(site),
    holder: newVisitor(site),
  }
  const maps = { secrets: new Map(), changeLinks: new Map(), recoveryLinks: new Map() }
  const story: Story = { site, name, userId: '', world, visitors, seen: new Set(), ...maps }
  await createAccount(story)
  const session = await visitors.owner.session()
  story.userId = session?.user.id ?? ''
  await addMethods(story)
  await readSetupMail(story)
  await lendSession(story)
  return story
}

async function createAccount(story: Story): Promise<void> {
  const { world, visitors } = story
  const email = emailOf(story, world.email)
  const password = find(world, 'password')
  if (!password) {
    const secret = accountAt(story, 'owner')
    await visitors.owner.authorize(secret.provider, { ...secret.account, email })
    const provider = find(world, 'provider')
    if (provider) storeSecret(story, provider, secret)
    return
  }
  await visitors.owner.succeed('requestSignUp', { email })
  const token = await findToken(story, world.email, /\/verify\?token=([\w-]{43})/)
  const text = 'the first password of the owner'
  const fields = { purpose: 'verify_email', token, name: 'Owner', password: text }
  await visitors.owner.succeed('createAccount', fields)
  storeSecret(story, password, { kind: 'password', text })
}

/** As steps of the owner, in a world that has what was there before. */
async function addMethods(story: Story): Promise<void> {
  const { world } = story
  const provider = find(world, 'provider')
  if (provider && find(world, 'password')) {
    await add(story, [provider], 'owner: link a provider')
  }
  const factors = world.methods.filter(({ kind }) => kind === 'app' || kind === 'codes')
  if (factors.length > 0) await add(story, factors, 'owner: add an app')
}

async function add(story: Story, added: readonly Owned[], name: string): Promise<void> {
  const { world } = story
  const methods = world.methods.filter((method) => !added.includes(method))
  story.world = { ...world, methods }
  await perform(story, { name, actor: 'owner' }, world)
  story.world = world
}

/** Links of the set-up, so that no later one is taken for them. */
async function readSetupMail(story: Story): Promise<void> {
  const { methods, email } = story.world
  const isChanged = methods.some(({ kind }) => kind === 'app')
  const isLinked = methods.length === 2 && methods.some(({ kind }) => kind === 'provider')
  if (isChanged || isLinked) await findToken(story, email, /\/recover\?token=([\w-]{43})/)
}

/** A session that is younger than `recentSignIn`, from the owner's own sign-in. */
async function lendSession(story: Story): Promise<void> {
  const { owner, thief } = story.visitors
  story.visitors.owner = thief
  const lent = await signIn(story, 'owner', story.world.rememberedThief)
  story.visitors.owner = owner
  if (!lent) throw new Error('The thief got no session.')
}

const find = (world: World, kind: string) => world.methods.find((method) => method.kind === kind)
