import { keepText, readTyped, type Typed } from '../typed-text'

let isWatched = false

/**
 * The error pages send the name of their error. This one is thrown when an action does not exist any
 * more: the app was updated since the page was loaded. The form is not in the page then, so it is
 * read when it is sent. It is not stored unless it is needed.
 */
export function watchForOutdatedPage(): void {
  if (isWatched) return
  isWatched = true
  let typed: Typed = { owner: 0, forms: [] }
  const remember = ({ target }: Event) => {
    typed = readTyped(target as HTMLFormElement)
  }
  const reload = ({ detail }: CustomEventInit<string>) => {
    if (detail !== 'UnrecognizedActionError') return
    const heading = document.querySelector('h1')
    if (heading) heading.textContent = 'The app was updated.'
    keepText('updated', typed)
    location.reload()
  }
  document.addEventListener('submit', remember, true)
  addEventListener('plinth:error', reload)
}
