//! Says what to install where CBC is wanted and missing; otherwise the linker would, less clearly.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PKG_CONFIG_PATH");
    if std::env::var_os("CARGO_FEATURE_CBC").is_none() {
        return;
    }
    if pkg_config::Config::new().cargo_metadata(false).probe("cbc").is_err() {
        println!("cargo::error=The library CBC was not found (pkg-config knows no package 'cbc').");
        println!("cargo::error=Install it: sudo apt-get install coinor-libcbc-dev pkg-config");
        println!("cargo::error=or build without it, with a slower solver: cargo build --no-default-features");
    }
}
