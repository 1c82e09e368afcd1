import { keepText, readTyped, type Typed } from '../typed-text'

let isWatched = false

/**
 * The error page sends this event when an action does not exist any more: the app was updated since
 * the page was loaded. The form is not in the page then, so it is read when it is sent.
 * It is not stored unless it is needed.
 */
export function watchForOutdatedPage(): void {
  if (isWatched) return
  isWatched = true
  let typed: Typed = { owner: 0, forms: [] }
  const remember = ({ target }: Event) => {
    typed = readTyped(target as HTMLFormElement)
  }
  document.addEventListener('submit', remember, true)
  addEventListener('plinth:outdated', () => {
    keepText('updated', typed)
    location.reload()
  })
}
