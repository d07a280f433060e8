-- A module file (Lmod) for rv from the .tar.xz, unpacked in /opt/rv. Without --prefix: change the path.
help([[GPUs on this cluster: rv plan -g 4 --time 30m shows every strategy to get four, rv up -g 4 --time 30m gets them.]])
whatis("Name: rv")
whatis("Description: GPUs on Slurm clusters: planned, raced for, followed and tested")

local root = "/opt/rv"
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
-- Settings that hold for everybody here.
-- setenv("RV_SITE", "/opt/rv/etc/site.yaml")
