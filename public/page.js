;(() => {
  // After an error React inserts it again.
  if (window.plinthPage) return
  window.plinthPage = true

  // Closes the menu when a link in it is followed, also one within the page.
  document.addEventListener('click', ({ target }) => {
    target.closest('[popover] a')?.closest('[popover]').hidePopover()
  })

  // Rewrites times in the user's time zone and language, also of elements that are added later.
  {
    let zone
    let formats
    const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

    // The zone that the user has chosen, which a browser may not know, or that of the browser.
    const formatsIn = (timeZone) => {
      const format = (options) => new Intl.DateTimeFormat(undefined, { ...options, timeZone })
      try {
        return {
          day: format({ dateStyle: 'medium' }),
          minute: format({ dateStyle: 'medium', timeStyle: 'short' }),
          exact: format({ dateStyle: 'full', timeStyle: 'long' }),
          relative: { format: relativeOrDay },
        }
      } catch {
        return formatsIn()
      }
    }

    const localize = () => {
      const chosen = document.querySelector('meta[name="time-zone"]')?.content
      if (!formats || chosen !== zone) {
        zone = chosen
        formats = formatsIn(zone)
      }
      for (const element of document.querySelectorAll('time[data-local]')) {
        const at = new Date(element.dateTime)
        const text = formats[element.dataset.local].format(at)
        if (element.textContent === text) continue
        element.textContent = text
        element.title = formats.exact.format(at)
      }
    }

    // "5 minutes ago", up to a month.
    function relativeOrDay(at) {
      const hours = Math.min(at - Date.now(), 0) / 3_600_000
      if (hours > -1) return relative.format(Math.trunc(hours * 60), 'minute')
      if (hours > -24) return relative.format(Math.trunc(hours), 'hour')
      return hours > -720 ? relative.format(Math.trunc(hours / 24), 'day') : formats.day.format(at)
    }

    localize()
    setInterval(localize, 60_000)
    new MutationObserver(localize).observe(document.documentElement, {
      childList: true,
      subtree: true,
    })
  }
})()
