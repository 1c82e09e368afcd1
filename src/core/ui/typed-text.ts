import { typedTextKey } from './typed-text-key'

type Kept = { path: string; form: number; fields: [name: string, value: string][] }

/** Before a form is left to confirm the user's identity. Passwords are not kept. */
export function keepTyped(form: HTMLFormElement): void {
  const kept: Kept = { path: location.pathname, form: positionOf(form), fields: [] }
  for (const control of typedControls(form)) kept.fields.push([control.name, control.value])
  sessionStorage.setItem(typedTextKey, JSON.stringify(kept))
}

export function restoreTyped(form: HTMLFormElement, stored: string): void {
  const { path, form: position, fields } = JSON.parse(stored) as Kept
  if (path !== location.pathname || position !== positionOf(form)) return
  sessionStorage.removeItem(typedTextKey)
  const values = new Map(fields)
  for (const control of typedControls(form)) {
    const value = values.get(control.name)
    if (value !== undefined) control.value = value
  }
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

function typedControls(form: HTMLFormElement): Control[] {
  const skipped = ['hidden', 'password', 'file', 'submit', 'checkbox', 'radio']
  return [...form.elements].filter(
    (element): element is Control =>
      'name' in element && element.name !== '' && !skipped.includes((element as Control).type),
  )
}

function positionOf(form: HTMLFormElement): number {
  return [...document.forms].indexOf(form)
}
