import { isSecretName } from 'plinth/universal/secret-names'

/** Why a form is left: to confirm the user's identity, or because the app was updated. */
type Reason = 'confirm' | 'updated'

type TypedField = { name: string; value: string; checked?: boolean }

export type TypedForm = {
  position: number
  /** Hashed. Text that was typed for another version of an object must not replace the present one. */
  hidden: number
  fields: TypedField[]
}

/** The typed text, and its owner (hashed). */
export type Typed = { owner: number; forms: TypedForm[] }

export type KeptText = Typed & { reason: Reason; path: string; at: number }

const maxAgeMs = 60 * 60 * 1000

/** The fields of the form that is sent, and those that were changed in other forms of the page. */
export function readTyped(sent: HTMLFormElement): Typed {
  const forms = [...document.forms].flatMap((form, position) => {
    const controls = typedControls(form).filter((control) => form === sent || isChanged(control))
    if (controls.length === 0) return []
    const fields = controls.map((control) => ({
      name: control.name,
      value: control.value,
      ...(isToggle(control) && { checked: control.checked }),
    }))
    return [{ position, hidden: hashHidden(form), fields }]
  })
  return { owner: hash(pageOwner()), forms }
}

/** For the next page at this path, if the same user opens it within an hour. */
export function keepText(reason: Reason, typed: Typed): void {
  const kept: KeptText = { ...typed, reason, path: location.pathname, at: Date.now() }
  try {
    sessionStorage.setItem(typedTextKey, JSON.stringify(kept))
  } catch {
    // The browser's storage is full.
  }
}

/** Undefined if it is for another page, or too old. */
export function takeKeptText(): KeptText | undefined {
  const kept = parse(sessionStorage.getItem(typedTextKey))
  const isExpired = !kept || Date.now() - kept.at > maxAgeMs
  if (!isExpired && kept.path !== location.pathname) return undefined
  const isOwn = kept?.forms.length === 0 || kept?.owner === hash(pageOwner())
  // Sign-in may lead back to the page.
  if (!isExpired && !isOwn && pageOwner() === '') return undefined
  sessionStorage.removeItem(typedTextKey)
  return isOwn && !isExpired ? kept : undefined
}

/** The form that it was typed in, if the page still has it. */
export function fillForm({ position, hidden, fields }: TypedForm): HTMLFormElement | undefined {
  const forms = [...document.forms]
  const form = [...forms.slice(position, position + 1), ...forms].find(
    (candidate) =>
      hashHidden(candidate) === hidden && fields.every((field) => controlFor(candidate, field)),
  )
  if (!form) return undefined
  for (const field of fields) fill(controlFor(form, field), field)
  const details = form.closest('details')
  if (details) details.open = true
  return form
}

function fill(control: Control | undefined, { value, checked }: TypedField): void {
  if (!control) return
  if (isToggle(control)) control.checked = checked === true
  else control.value = value
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const notTyped = /^(hidden|password|file|submit|button|image|reset|select-multiple)$/

function typedControls(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (element): element is Control =>
      'name' in element &&
      element.name !== '' &&
      !notTyped.test((element as Control).type) &&
      !('readOnly' in element && element.readOnly) &&
      // A shown password is in a text field.
      !isSecretName(String(element.name)),
  )
}

function controlFor(form: HTMLFormElement, { name, value }: TypedField): Control | undefined {
  return typedControls(form).find(
    (control) => control.name === name && (!isToggle(control) || control.value === value),
  )
}

function isToggle(control: Control): control is HTMLInputElement {
  return control.type === 'checkbox' || control.type === 'radio'
}

function isChanged(control: Control): boolean {
  if ('options' in control) {
    return [...control.options].some(
      ({ selected, defaultSelected }) => selected !== defaultSelected,
    )
  }
  if (isToggle(control)) return control.checked !== control.defaultChecked
  return control.value !== control.defaultValue
}

function hashHidden(form: HTMLFormElement): number {
  const hidden = [...form.querySelectorAll<HTMLInputElement>('input[type="hidden"]')]
  const own = hidden.filter(({ name }) => !name.startsWith('$ACTION'))
  return hash(JSON.stringify(own.map(({ name, value }) => [name, value])))
}

function hash(text: string): number {
  let value = 0
  for (let index = 0; index < text.length; index += 1) {
    value = (Math.imul(value, 31) + text.charCodeAt(index)) | 0
  }
  return value
}

function parse(text: string | null): KeptText | undefined {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The email of the user whom the page was made for. */
export function pageOwner(): string {
  return document.querySelector('[data-user="email"]')?.textContent ?? ''
}

/** Where the text of a form is kept in the session storage. */
export const typedTextKey = 'plinth.typed'
