// Following a link inside the phone menu closes it, also when the link only moves within the page.
document.addEventListener('click', ({ target }) => {
  target.closest('[popover] a')?.closest('[popover]').hidePopover()
})
