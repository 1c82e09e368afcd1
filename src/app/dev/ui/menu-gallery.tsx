'use client'

import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/core/ui/button'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/core/ui/menu'
import { GallerySection } from './gallery-section'

export function MenuGallery() {
  const [chosen, setChosen] = useState('nothing')
  return (
    <GallerySection title="Menu">
      <div className="flex flex-wrap items-center gap-4">
        <Menu
          trigger={
            <Button variant="secondary">
              Actions
              <ChevronDown className="size-4" aria-hidden="true" />
            </Button>
          }
        >
          <MenuItem onSelect={() => setChosen('Edit')}>Edit</MenuItem>
          <MenuItem onSelect={() => setChosen('Duplicate')}>Duplicate</MenuItem>
          <MenuItem onSelect={() => setChosen('Archive')} disabled>
            Archive
          </MenuItem>
          <MenuLink href="/">Start page</MenuLink>
          <MenuSeparator />
          <MenuItem onSelect={() => setChosen('Remove')} danger>
            Remove
          </MenuItem>
        </Menu>
        <output className="text-sm text-muted">Chosen: {chosen}</output>
      </div>
    </GallerySection>
  )
}
