"""Copy the shared library into the package: the one in COOC_LIBRARY, or the
one in ../build.  Without it, the package uses the library of the system."""

import os
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = os.path.dirname(os.path.abspath(__file__))
SONAME = "libcooc.so.0.1"
LIBRARY = os.environ.get("COOC_LIBRARY") or f"{HERE}/../build/{SONAME}"


class BuildWithLibrary(build_py):
    def run(self):
        shutil.rmtree(f"{self.build_lib}/cooc", ignore_errors=True)
        super().run()       # without files of an earlier version
        if os.path.exists(LIBRARY):
            shutil.copyfile(LIBRARY, f"{self.build_lib}/cooc/{SONAME}")

    def get_outputs(self, include_bytecode=1):
        outputs = super().get_outputs(include_bytecode)
        return outputs + [f"{self.build_lib}/cooc/{SONAME}"] * \
            os.path.exists(LIBRARY)


class ForThisMachine(Distribution):
    """The package contains machine code."""

    def has_ext_modules(self):
        return os.path.exists(LIBRARY)


setup(cmdclass={"build_py": BuildWithLibrary}, distclass=ForThisMachine)
